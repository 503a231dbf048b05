/** Converts the vendor's Markdown outline to slides. A heading `#` is the title, `##` begins a
 *  chapter, and `###` or deeper begins a page; lists and paragraphs become the points of a page. */
import type { Slide } from '@generation-gateway/kit/requests/slides.ts'

const heading = /^(#{1,6})\s+(.+?)\s*#*$/
const listItem = /^\s*(?:[-*+•]|\d{1,3}[.)、])\s+(.+)$/

/** Returns the slides of the outline, beginning with a title slide. Without headings, the title
 *  slide is the only one. */
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

/** Adds a line of text to the last slide. On a title slide, the first line becomes the subtitle
 *  and further lines are dropped. On any other slide, the line becomes a point; a chapter slide
 *  thereby becomes a page. */
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

/** Returns the text without the Markdown marks for emphasis, links and code. */
function plain(text: string): string {
  return text
    .trim()
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/(\*\*|__|`)/g, '')
    .trim()
}
