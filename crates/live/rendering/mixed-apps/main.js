import { createApp, h, onMounted, ref, watch } from "vue";
import { createRouter, createWebHistory, RouterLink, RouterView, useRoute } from "vue-router";

const told = (name) => fetch(`/app/data/${name}.json`).then((answer) => answer.json());
const List = { setup() {
  const items = ref([]);
  onMounted(async () => { items.value = await told(["items"].join("")); });
  return () => items.value.map((item) => h("p", h(RouterLink, { to: `/item/${item.id}` }, () => item.title)));
} };
const Item = { setup() {
  const item = ref(null), route = useRoute();
  const show = async () => { item.value = await told(route.params.id); };
  onMounted(show);
  watch(() => route.params.id, show);
  return () => item.value && h("main", [h("p", item.value.text), ...[1, 2].map((n) => h("img", { alt: "", src: `/app/pictures/${route.params.id}-${n}.svg` }))]);
} };
const routes = [{ path: "/", component: List }, { path: "/item/:id", component: Item }];
createApp({ render: () => h(RouterView) }).use(createRouter({ history: createWebHistory("/app/"), routes })).mount("#root");
