import { families as known } from '../../families/index.ts'
import { escapeHtml as e, pageOf } from '../../http/pages/page.ts'
import type { DemoResult } from './demo.ts'

/** Returns the HTML page that shows all results side by side. */
export function contactSheet(results: readonly DemoResult[]): string {
  const families = [...new Set(results.map(result => result.family))]
  const sections = families.map(family => {
    const tiles = results.filter(result => result.family === family).map(tile)
    return `<section${tiles.length === 1 ? ' class="one"' : ''}><h2>${headOf(family)}</h2><div class="sheet">${tiles.join('')}</div></section>`
  })
  return pageOf(
    'Demo · Generation gateway',
    `<style>main{max-width:1400px}.families{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(340px,100%),1fr));column-gap:22px}section,.one:has(object){grid-column:1/-1;min-width:0}.one{grid-column:auto}.one .sheet{columns:1}.sheet{columns:3 300px;column-gap:22px}.tile{break-inside:avoid;margin-bottom:22px}.tile img,.tile video{width:100%;height:auto;border-radius:8px;display:block}.tile figcaption{padding:8px 2px;font-size:14px}.tile strong{color:#c22;display:block}.tile small{color:var(--soft);display:block}.said{border:1px solid var(--line,#8884);border-radius:8px;padding:10px 14px}.said audio{width:100%;margin:4px 0}.said:has(object){column-span:all;max-width:820px}.said object{width:100%;aspect-ratio:16/9.4;border-radius:8px;margin-top:4px}h2 small{color:var(--soft);font-weight:400}.said pre{white-space:pre-wrap;font:inherit;margin:4px 2px 6px}</style>
<header><h1>What the built-in engines made</h1><p>${results.length} results, made through the public interface without keys and without a network.</p></header><div class="families">${sections.join('')}</div>`,
  )
}

/** Returns the heading of a family: its title, followed by its short name when that is another
 *  word. */
function headOf(name: string): string {
  const found = known.find(({ family }) => family.id.toLowerCase() === name.toLowerCase())
  const title = found?.family.title ?? name
  return title.toLowerCase() === name.toLowerCase() ? e(title) : `${e(title)} <small>${e(name)}</small>`
}

function tile(result: DemoResult): string {
  if (result.missing !== undefined)
    return `<figure class="tile"><figcaption>${e(result.title)}<small>not made: ${e(result.missing)}</small></figcaption></figure>`
  if (result.error !== undefined)
    return `<figure class="tile"><figcaption>${e(result.title)}<small>failed: ${e(result.error)}</small></figcaption></figure>`
  const shown = shownOf(result)
  const bad = result.bad === undefined ? '' : `<strong>BAD: ${e(result.bad)}</strong>`
  const caption = `<figcaption>${e(result.title)}${bad}<small>${e(result.facts)}</small></figcaption>`
  if (result.text === undefined && !/\.(mp3|m4a|wav|pptx)$/.test(result.file)) return `<figure class="tile">${shown}${caption}</figure>`
  const text = result.text === undefined ? '' : `<pre>${e(result.text)}</pre>`
  return `<figure class="tile said">${caption}${shown}${text}</figure>`
}

/** Returns the HTML element that shows the file of a result, according to the kind of file. */
function shownOf({ file, title }: DemoResult): string {
  if (/\.(mp3|m4a|wav)$/.test(file)) return `<audio controls preload="none" src="${e(file)}"></audio>`
  if (file.endsWith('.mp4')) return `<video controls preload="metadata" src="${e(file)}"></video>`
  if (file.endsWith('.pptx')) {
    const pdf = e(file.replace(/pptx$/, 'pdf'))
    return `<object title="${e(title)}" type="application/pdf" data="${pdf}#view=FitH&amp;toolbar=0&amp;navpanes=0"></object><p><a href="${e(file)}">PPTX</a> · <a href="${pdf}">PDF</a></p>`
  }
  return /\.(png|jpe?g|webp)$/.test(file) ? `<a href="${e(file)}"><img src="${e(file)}" alt="${e(title)}" loading="lazy"></a>` : ''
}
