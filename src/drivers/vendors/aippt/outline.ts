/** The vendor's Markdown as slides: `#` is the title, `##` a chapter, `###` and below a page, lists and paragraphs what it says. */
import type { Slide } from '@generation-gateway/kit/requests/slides.ts'

const heading = /^(#{1,6})\s+(.+?)\s*#*$/
const listItem = /^\s*(?:[-*+•]|\d{1,3}[.)、])\s+(.+)$/

/** Slides of the outline; one with the title alone where it has no headings. */
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

/** A chapter that says something itself is a page of its own. */
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

/** Without the signs of emphasis, links and code. */
function plain(text: string): string {
  return text
    .trim()
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/(\*\*|__|`)/g, '')
    .trim()
}
