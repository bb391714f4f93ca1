import { createApp } from "vue";
import { createRouter, createWebHistory } from "vue-router";
import App from "./App.vue";
const routes = [{ path: "/", component: () => import("./List.vue") }, { path: "/items/:id", component: () => import("./Item.vue") }];
createApp(App).use(createRouter({ history: createWebHistory(), routes })).mount("#app");
