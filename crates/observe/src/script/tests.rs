use super::*;

/// Links of a script file at `http://h/d/s.js`, without that directory.
fn seen(source: &str) -> Vec<String> {
    assert!(may_name(source.as_bytes()) || source.len() < 9, "{source}");
    let mut collector = Collector::new("http://h/d/s.js");
    links(source, &mut collector);
    collector.finish().0.iter().map(|link| link.url.trim_start_matches("http://h/d/").to_owned()).collect()
}

#[test]
fn every_way_to_import_is_read() {
    for (source, expected) in [
        ("import './a.js'; import \"../b.js\"", &["a.js", "http://h/b.js"][..]),
        (
            "import a from './a.js'\nimport{b,c as d}from'/b.js';import*as e from'https://o/c.js'",
            &["a.js", "http://h/b.js", "https://o/c.js"],
        ),
        ("import a, { b } from './a.js' with { type: 'json' }; import c, * as d from './b.js'", &["a.js", "b.js"]),
        (
            "import from from './a.js'; import { from } from './b.js'; import { from as x } from './c.js'",
            &["a.js", "b.js", "c.js"],
        ),
        ("import { 'x y' as z } from './a.js'; import defer * as w from './b.js'", &["a.js", "b.js"]),
        (
            "export * from './a.js'; export * as x from './b.js'; export { y, z as default } from './c.js'",
            &["a.js", "b.js", "c.js"],
        ),
        ("export { a }\nimport b from './b.js'", &["b.js"]),
        ("const a = () => import('./a.js'), b = await import(/* webpackChunkName: 'x' */ `./b.js`)", &["a.js", "b.js"]),
        ("import('./a.json', { with: { type: 'json' } })", &["a.json"]),
        ("import/**/a/**/from/**/'./a.js'//x", &["a.js"]),
        ("`${import('./a.js')}`", &["a.js"]),
        ("import './a\\u002ejs'", &["a.js"]),
    ] {
        assert_eq!(seen(source), expected, "{source}");
    }
}

#[test]
fn workers_and_what_stands_beside_a_module_are_read() {
    for (source, expected) in [
        ("importScripts('a.js', './b.js'); self.importScripts('/c.js')", &["a.js", "b.js", "http://h/c.js"][..]),
        (
            "new Worker('/w.js'); new SharedWorker('/s.js', {name: 'x'}); new window.Worker('/v.js')",
            &["http://h/w.js", "http://h/s.js", "http://h/v.js"],
        ),
        (
            "navigator.serviceWorker.register('/sw.js'); navigator.serviceWorker?.register('/sx.js', {})",
            &["http://h/sw.js", "http://h/sx.js"],
        ),
        ("audio.audioWorklet.addModule('/a.js')", &["http://h/a.js"]),
        ("new Worker(new URL('w.js', import.meta.url), { type: 'module' })", &["w.js"]),
        ("new URL('a.wasm', import.meta.url)", &["a.wasm"]),
        // Relative to the page that runs the script, which may be any.
        ("new Worker('w.js'); navigator.serviceWorker.register('sw.js')", &[]),
    ] {
        assert_eq!(seen(source), expected, "{source}");
    }
}

#[test]
fn ordinary_code_names_nothing() {
    for source in [
        "import 'lodash'; import x from 'react'; export * from 'vue'; import('fs')",
        "'import \"./a.js\"'; \"import('./a.js')\"; // import './a.js'\n/* import './a.js' */",
        "`import './a.js'`; /import '.\\/a.js'/.test(x)",
        "x.import('./a.js'); x.export.from('./b.js'); {import: './a.js'}",
        "import('./' + name + '.js'); import(`./${name}.js`); import(url)",
        "import.meta.url; import.meta.env.BASE + './a.js'",
        "export const a = './a.js'; export default './b.js'; export function from() { return './c.js' }",
        "new Worker(URL.createObjectURL(b)); new Worker('/w' + n); new Workers('/w.js'); Worker('/w.js')",
        "new URL('a.png', location.href); new URL('./', import.meta.url); new URL('.', import.meta.url)",
        "registration.register('/sw.js'); serviceWorker.ready('/x.js'); addModule('/x.js')",
        "import './'; import '..'; import './a b.js'; import './<x>.js'; import '/'",
        "require('./a.js'); fetch('/import'); document.write('<script src=\"/import.js\"><\\/script>')",
        "var exports={};exports.Worker='/w.js';a?b:c/d;e.src='/import/x.js'",
        "import",
        "",
    ] {
        assert_eq!(seen(source), [""; 0], "{source}");
    }
}

#[test]
fn a_bundle_yields_its_imports_and_nothing_else() {
    let bundle = "!function(e,t){\"object\"==typeof exports?module.exports=t(require(\"./x\")):e.X=t()}(this,function(){\
        var a=/^(?:[\"'])\\/import/,b=1/2/3;if(a.test(b))/\\/\"/.exec('\"');return b++/2+a[\"import\"](\"./no.js\")});\
        import{a as r,b as o}from\"./vendor-4f.js\";const s=t=>import(\"./lazy-9a.js\").then(t=>t.default),\
        i=`a${r?`b'${o}`:\"c\"}import('./no.js')`;export{s as default};export*from\"./more.js\";";
    assert_eq!(seen(bundle), ["vendor-4f.js", "lazy-9a.js", "more.js"]);
}

#[test]
fn a_script_of_any_size_is_read_in_bounds() {
    let long = format!("{}import './b.js'", "/* é */".repeat(SCRIPT_MAX / 8));
    assert_eq!(seen(&format!("import './a.js';{long}")), ["a.js"]);
    assert_eq!(seen(&format!("import '/{}'", "x".repeat(ADDRESS_MAX))), [""; 0]);
}
