// Everything a page may load from another host, each by a way of its own.
import { createApp, h, ref, onMounted } from "vue";
import { createRouter, createWebHistory, RouterLink, RouterView } from "/vue-router.js";
import { fromStatic } from "http://127.0.0.1:21190/module.js";
import { fromMap } from "other/mapped.js";

const OTHER = "http://127.0.0.1:21190";
const told = (label, load) => ({
  setup() {
    const said = ref("waiting");
    onMounted(() => Promise.resolve().then(load).then((text) => { said.value = text; }, (error) => { said.value = `failed: ${error}`; }));
    return () => h("p", { class: "box" }, `${label}: ${said.value}`);
  },
});
const xhr = (url) => new Promise((done, failed) => {
  const request = new XMLHttpRequest();
  request.open("GET", url);
  request.onload = () => done(JSON.parse(request.responseText).said);
  request.onerror = () => failed(new Error("no answer"));
  request.send();
});
const worker = (made) => new Promise((done, failed) => {
  made.onmessage = (event) => done(event.data);
  made.onerror = (event) => failed(new Error(event.message || "worker"));
});
const Home = { render: () => [
  h("h1", "Home"), h("img", { src: `${OTHER}/picture.svg`, width: 120, height: 60 }),
  h(told("fetch", () => fetch(`${OTHER}/data.json`).then((answer) => answer.json()).then((data) => data.said))),
  h(told("request object", () => fetch(new Request(new URL(`${OTHER}/data.json?r=1`))).then((answer) => answer.json()).then((data) => data.said))),
  h(told("XMLHttpRequest", () => xhr(`${OTHER}/data.json?x=1`))),
  h(told("static import", () => fromStatic)), h(told("import map", () => fromMap)),
  h(told("dynamic import", () => import(`${OTHER}/late.js`).then((module) => module.said))),
] };
const About = { render: () => [
  h("h1", "About"),
  h("div", { class: "box", style: { backgroundImage: `url(${OTHER}/picture.svg)`, height: "60px" } }, "background by script"),
  h(told("worker", () => worker(new Worker("/worker.js")))),
  h(told("module worker", () => worker(new Worker("/module-worker.js", { type: "module" })))),
  h(told("blob worker", () => worker(new Worker(URL.createObjectURL(new Blob([`fetch("${OTHER}/data.json?b=1").then((a) => a.json()).then((d) => postMessage(d.said))`], { type: "text/javascript" })))))),
  h(told("font", () => new FontFace("Late", `url(${OTHER}/late.ttf)`).load().then(() => "loaded"))),
  h(told("style rule", () => { const sheet = document.head.appendChild(document.createElement("style")); sheet.textContent = `h1 { background: url(${OTHER}/picture.svg) right no-repeat }`; return "set"; })),
  h(told("classic script", () => new Promise((done, failed) => { const script = document.createElement("script"); script.src = `${OTHER}/classic.js`; script.onload = () => done(window.classic); script.onerror = () => failed(new Error("script")); document.head.append(script); }))),
] };
const Item = { render() { return [h("h1", `Item ${this.$route.params.id}`), h(told("address", () => location.pathname)), h(told("document", () => document.domain)), h("iframe", { src: `${OTHER}/frame.html`, width: 400, height: 100 })]; } };
const App = { render: () => [h("nav", [h(RouterLink, { to: "/" }, () => "Home"), h(RouterLink, { to: "/about" }, () => "About"), h(RouterLink, { to: "/items/7" }, () => "Item")]), h(RouterView)] };
const router = createRouter({ history: createWebHistory(), routes: [{ path: "/", component: Home }, { path: "/about", component: About }, { path: "/items/:id", component: Item }] });
createApp(App).use(router).mount("#app");
