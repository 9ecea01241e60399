/** The styles of every page so far: system fonts, light and dark, from 320 px up. */
export const STYLE = `
:root{color-scheme:light dark;--text:#1b1f24;--quiet:#57606a;--line:#d0d7de;--ground:#fff;--panel:#f6f8fa;--link:#0a58ca}
@media (prefers-color-scheme:dark){:root{--text:#e6edf3;--quiet:#9aa4af;--line:#3d444d;--ground:#0d1117;--panel:#161b22;--link:#6cb0ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:1rem/1.6 system-ui,sans-serif}
main{max-width:44rem;margin:0 auto;padding:2rem 1rem 4rem}
nav{max-width:44rem;margin:0 auto;padding:1rem 1rem 0}
h1{font-size:1.6rem;line-height:1.25;margin:.2em 0 .6em}
h2{font-size:1.1rem;margin:1.6em 0 .3em}
p,dd{margin:.3em 0;overflow-wrap:anywhere}
a{color:var(--link)}
code,pre{font-family:ui-monospace,monospace;font-size:.9em;background:var(--panel);border:1px solid var(--line);border-radius:4px}
code{padding:.1em .3em;overflow-wrap:anywhere}
pre{padding:.8em;overflow-x:auto}
pre code{border:0;padding:0;background:none}
.quiet{color:var(--quiet)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.4em .8em .4em 0;border-bottom:1px solid var(--line)}
`;
