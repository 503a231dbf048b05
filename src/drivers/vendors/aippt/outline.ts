/** Converts the vendor's Markdown to slides: `#` is the title, `##` a chapter, `###` and below a
 *  page; lists and paragraphs are its points. */
import type { Slide } from '@generation-gateway/kit/requests/slides.ts'

const heading = /^(#{1,6})\s+(.+?)\s*#*$/
const listItem = /^\s*(?:[-*+•]|\d{1,3}[.)、])\s+(.+)$/

/** Returns the slides of the outline; only a title slide when it has no headings. */
export function slidesOf(markdown: string, title: string): Slide[] {
  const slides: Slide[] = []
  for (const line of markdown.split(/\r?\n/)) {
    const [, marks = '', named = ''] = heading.exec(line) ?? []
    if (marks !== '') slides.push(slideOf(marks.length, plain(named)))
    else add(slides, line)
  }
  const [first] = slides
  return first?.layout === 'title' ? slides : [{ layout: 'title', title, points: [] }, ...slides]
}

function slideOf(level: number, title: string): Slide {
  const layout = level === 1 ? 'title' : level === 2 ? 'section' : 'points'
  return { layout, title, points: [] }
}

/** Adds a line to the last slide. A chapter with text of its own becomes a page. */
function add(slides: Slide[], line: string): void {
  const text = plain(listItem.exec(line)?.[1] ?? line)
  const slide = slides.at(-1)
  if (text === '' || !slide) return
  if (slide.layout === 'title') {
    slide.subtitle ??= text
    return
  }
  slide.layout = 'points'
  slide.points.push(text)
}

/** Returns the text without Markdown for emphasis, links and code. */
function plain(text: string): string {
  return text
    .trim()
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/(\*\*|__|`)/g, '')
    .trim()
}
