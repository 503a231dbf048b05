/** All templates, in the order of their numbers. */
import { fileURLToPath } from 'node:url'
import type { SlidesTemplate } from '@generation-gateway/kit/requests/slides.ts'
import { aurora } from './aurora.ts'
import { broadsheet } from './broadsheet.ts'
import { harbour } from './harbour.ts'
import type { Theme } from './theme.ts'

export const themes: readonly Theme[] = [harbour, broadsheet, aurora]

export function themeOf(name: string): Theme | undefined {
  return themes.find(theme => theme.name === name)
}

/** Path of the cover of a template, drawn by `testing/draw-covers.ts`. */
export function coverPath(name: string): string {
  return fileURLToPath(new URL(`../covers/${name}.png`, import.meta.url))
}

/** The templates as a list of templates shows them. */
export const templates: readonly SlidesTemplate[] = themes.map(({ id, name, title, category, style, colour, scenes }) => ({
  id,
  name,
  title,
  category,
  style,
  colour,
  scenes,
  cover: coverPath(name),
}))
