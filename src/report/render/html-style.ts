/** The style of the HTML report: light or dark like the reader's system, for phones and paper too. */
export const style = `
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#57606a;--paper:#fff;--raised:#f6f8fa;--line:#d0d7de;--bad:#b3261e;--warn:#9a5b00;--good:#116329;--link:#0a58ca;--mark:#fde3e1}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9da7b3;--paper:#0d1117;--raised:#161b22;--line:#30363d;--bad:#ff8b82;--warn:#e3b341;--good:#56d364;--link:#79b8ff;--mark:#5c1f1b}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:70rem;padding:1.5rem 1rem 4rem;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:break-word}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem}
h2{font-size:1.3rem;margin:2.5rem 0 .75rem;padding-bottom:.25rem;border-bottom:1px solid var(--line)}
h3{font-size:1.05rem;margin:1.5rem 0 .5rem}
h4{font-size:1rem;margin:0 0 .25rem}
p{margin:.25rem 0 .5rem;max-width:80ch}
a{color:var(--link)}
code,pre{font:.875em/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
code{overflow-wrap:anywhere;unicode-bidi:isolate}
.small{font-size:.85rem;color:var(--soft)}
.whole{white-space:nowrap}
.sign{font-weight:700}
.broken .sign{color:var(--bad)}
.should .sign{color:var(--warn)}
.advised .sign{color:var(--link)}
.kept .sign,summary .sign{color:var(--good)}
.open .sign{color:var(--soft)}
.verdict{max-width:none;font-size:1.15rem;font-weight:600;padding:.6rem .9rem;border-left:.35rem solid var(--soft);background:var(--raised)}
.verdict.broken{border-color:var(--bad)}
.verdict.should{border-color:var(--warn)}
.verdict.kept{border-color:var(--good)}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(10rem,1fr));gap:.75rem;margin:1rem 0 0}
.figures div{padding:.6rem .9rem;border:1px solid var(--line);border-radius:.4rem}
.figures dt{font-size:.85rem}
.figures dd{margin:0;color:var(--soft);font-size:.85rem}
.figures strong{display:block;font-size:1.35rem;line-height:1.3;color:var(--ink)}
meter{display:block;width:100%;height:.6rem;margin-top:.35rem}
.check{margin:.75rem 0;padding:.75rem 1rem;border:1px solid var(--line);border-left:.35rem solid var(--bad);border-radius:.4rem}
.check h3{margin-top:0}
.check.should{border-left-color:var(--warn)}
.check.advised{border-left-color:var(--link)}
.check.open{border-style:dashed;border-left-color:var(--soft)}
.check h4 code,summary code{font-weight:400;color:var(--soft)}
.badge{margin-left:.25rem;padding:0 .45rem;border:1px solid currentcolor;border-radius:1rem;font-size:.75rem;font-weight:400}
.broken .badge{color:var(--bad)}
.should .badge{color:var(--warn)}
.advised .badge{color:var(--link)}
.finding{margin:.75rem 0;padding-top:.5rem;border-top:1px solid var(--line)}
.calls{list-style:none;margin:.25rem 0;padding:0;font-size:.9rem}
.calls .when,.result{color:var(--soft);margin-left:.5rem}
.exchange{border:0;padding:.15rem 0;margin-left:1rem}
.exchange summary{color:var(--soft)}
.exchange .message{margin:.35rem 0 .5rem}
.message p{margin:0}
.message pre{margin:0;white-space:pre-wrap;max-height:24rem;overflow:auto;padding:.5rem .75rem;border-radius:.4rem;background:var(--raised);border:1px solid var(--line)}
mark{background:var(--mark);color:inherit;border-radius:.2rem;padding:.1rem .2rem}
.wrong{color:var(--bad);font-family:system-ui,sans-serif}
.wide{overflow-x:auto;margin:.5rem 0 1rem}
table{border-collapse:collapse;width:100%;font-size:.9rem}
caption{text-align:left;font-size:.85rem;color:var(--soft);padding:.25rem 0}
caption.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
th,td{text-align:left;vertical-align:top;padding:.3rem .75rem .3rem 0;border-bottom:1px solid var(--line)}
thead th{font-size:.8rem;color:var(--soft);vertical-align:bottom}
tbody th{font-weight:400}
th[scope=rowgroup]{padding-top:.75rem}
.number{width:1%;text-align:right;font-variant-numeric:tabular-nums}
.none{color:var(--soft)}
.never{color:var(--soft)}
details{border-bottom:1px solid var(--line);padding:.4rem 0}
summary{cursor:pointer}
summary:focus-visible,.wide:focus-visible,pre:focus-visible,a:focus-visible{outline:2px solid var(--link);outline-offset:2px}
details[open]>:last-child{margin-bottom:.75rem}
details h4{margin-top:.75rem}
.forms{margin:.25rem 0;padding-left:1.25rem}
code.command{display:inline-block}
.command{background:var(--raised);border:1px solid var(--line);border-radius:.4rem;padding:.1rem .35rem;user-select:all;-webkit-user-select:all}
pre.command{margin:.25rem 0 .75rem;padding:.5rem .75rem;white-space:pre-wrap}
@media (max-width:40rem){body{padding:1rem .75rem 3rem}.check{padding:.6rem .75rem}th[scope=row]{min-width:9rem}td:not(.number){min-width:6.5rem}#runs :is(table,tbody,tr,th,td){display:block;width:auto;min-width:0}#runs thead{display:none}#runs tr{padding:.4rem 0;border-bottom:1px solid var(--line)}#runs :is(th,td){padding:.1rem 0;border:0;text-align:left}#runs td:empty{display:none}#runs [data-title]::before{content:attr(data-title) ': ';color:var(--soft)}}
@media print{
:root{color-scheme:light;--ink:#000;--soft:#444;--paper:#fff;--raised:#fff;--line:#bbb;--bad:#b3261e;--warn:#9a5b00;--good:#116329;--link:#000;--mark:#eee}
body{max-width:none;padding:0;font-size:10pt}
details::details-content{display:block;content-visibility:visible}
.check,.check tbody,tr,.command{break-inside:avoid}
h2,h3,h4{break-after:avoid}
.wide,.message pre{overflow:visible;max-height:none}
}
`;
