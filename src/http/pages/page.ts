const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => entities[character] ?? character)
}

/** Returns a whole page in the gateway's style. `body` is HTML. The page loads no files from
 *  anywhere. */
export function pageOf(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${style}</style></head><body><main>${body}</main></body></html>`
}

const style = `
:root{--ink:#1c2330;--soft:#5b6577;--line:#dfe4ec;--paper:#fff;--ground:#f5f7fa;--accent:#2457c5;--ours:#8a5a00;--code:#f0f3f8}
@media (prefers-color-scheme:dark){:root{--ink:#e6eaf2;--soft:#9aa5b8;--line:#2c3444;--paper:#171c26;--ground:#10141c;--accent:#7ea6ff;--ours:#e0b050;--code:#212838}}
*{box-sizing:border-box}body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
main{max-width:1040px;margin:0 auto;padding:40px 24px 80px}h1{font-size:34px;line-height:1.15;margin:0 0 8px;letter-spacing:-.02em}h2{font-size:23px;margin:44px 0 12px}h3{font-size:17px;margin:0 0 6px;overflow-wrap:anywhere}h4{margin:16px 0 4px}
header p{color:var(--soft);max-width:72ch;margin:0}a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}
table{border-collapse:collapse;width:100%;margin:12px 0;background:var(--paper);border:1px solid var(--line);border-radius:8px;font-size:14px;overflow-wrap:anywhere}
th,td{text-align:left;padding:8px 12px;border-bottom:1px solid var(--line);vertical-align:top}tr:last-child td{border-bottom:0}th{color:var(--soft);font-weight:600;white-space:nowrap}.fields td:first-child{min-width:190px}.fields td:first-child code{white-space:nowrap}.fields td:nth-child(4){min-width:150px}
code,pre{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}code{background:var(--code);padding:1px 5px;border-radius:4px}pre{background:var(--code);padding:14px 16px;border-radius:8px;overflow-x:auto}pre code{padding:0}
article{background:var(--paper);border:1px solid var(--line);border-radius:10px;padding:20px 22px;margin:18px 0}article table{border-color:var(--line)}.method{color:var(--accent);font-weight:700}
.ours{color:var(--ours);font-style:normal;font-size:12px;font-weight:600;border:1px solid currentColor;border-radius:4px;padding:0 5px}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(210px,1fr));gap:14px;margin:28px 0}.cards a{background:var(--paper);border:1px solid var(--line);border-radius:10px;padding:16px 18px;color:var(--ink)}.cards a:hover{border-color:var(--accent);text-decoration:none}.cards b{display:block;color:var(--accent)}.cards span{color:var(--soft);font-size:14px}
details{margin:8px 0}summary{cursor:pointer;color:var(--soft)}.contents{columns:2;padding-left:20px}figure{margin:0}`
