import { lazy, Suspense, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter, Link, Route, Routes, useParams } from "react-router-dom";
const Far = lazy(() => import("./Far.jsx"));

function List() {
  const [items, setItems] = useState([]);
  const [far, setFar] = useState(false);
  useEffect(() => { fetch(`${import.meta.env.BASE_URL}data/${["items"].join("")}.json`).then((r) => r.json()).then(setItems); }, []);
  useEffect(() => {
    const end = document.getElementById("end");
    const watch = new IntersectionObserver(([seen]) => seen.isIntersecting && setFar(true));
    watch.observe(end);
    return () => watch.disconnect();
  }, []);
  return <main>
    <h1>Items</h1>
    {items.map((item) => <article key={item.id} style={{ minHeight: 700 }}>
      <h2><Link to={`/items/${item.id}`}>{item.title}</Link></h2>
      <img loading="lazy" width="200" height="120" src={`/pictures/${item.id}.svg`} alt="" />
    </article>)}
    <div id="end">{far && <Suspense fallback="…"><Far /></Suspense>}</div>
  </main>;
}
function Item() {
  const { id } = useParams();
  const [item, setItem] = useState(null);
  useEffect(() => { fetch(`/data/${id}.json`).then((r) => r.json()).then(setItem); }, [id]);
  return <main><Link to="/">back</Link><p>{item?.text}</p></main>;
}
createRoot(document.getElementById("root")).render(
  <BrowserRouter><Routes><Route path="/" element={<List />} /><Route path="/items/:id" element={<Item />} /></Routes></BrowserRouter>);
