importScripts("http://127.0.0.1:21190/imported.js");
fetch("http://127.0.0.1:21190/data.json?w=1").then((answer) => answer.json()).then((data) => postMessage(`${imported} and ${data.said}`), (error) => postMessage(`failed: ${error}`));
