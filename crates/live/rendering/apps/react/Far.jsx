import { useEffect, useState } from "react";
export default function Far() {
  const [text, setText] = useState("");
  useEffect(() => { Promise.all([1, 2, 3].map((n) => fetch(`/data/${n}.json`).then((r) => r.json()))).then((all) => setText(all.map((one) => one.text).join(", "))); }, []);
  return <p>{text}</p>;
}
