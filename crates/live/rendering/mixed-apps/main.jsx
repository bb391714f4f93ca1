import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter, Link, Route, Routes, useParams } from "react-router-dom";

const told = (name) => fetch(`/app/data/${name}.json`).then((answer) => answer.json());
function List() {
  const [items, setItems] = useState([]);
  useEffect(() => { told(["items"].join("")).then(setItems); }, []);
  return <main><h1>Catalogue</h1>{items.map((item) => <p key={item.id}><Link to={`/item/${item.id}`}>{item.title}</Link></p>)}</main>;
}
function Item() {
  const { id } = useParams();
  const [item, setItem] = useState(null);
  useEffect(() => { told(id).then(setItem); }, [id]);
  return <main><Link to="/">back</Link><p>{item?.text}</p>{item && [1, 2].map((n) => <img key={n} alt="" src={`/app/pictures/${id}-${n}.svg`} />)}</main>;
}
createRoot(document.getElementById("root")).render(
  <BrowserRouter basename="/app"><Routes><Route path="/" element={<List />} /><Route path="/item/:id" element={<Item />} /></Routes></BrowserRouter>);
