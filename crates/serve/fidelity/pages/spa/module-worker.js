import { fromStatic } from "http://127.0.0.1:21190/module.js";
postMessage(fromStatic);
