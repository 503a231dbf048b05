/** Draws the covers of all templates again: `node engines/slides/testing/draw-covers.ts`. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { drawCover } from '../deck/cover.ts'
import { coverPath, themes } from '../templates/templates.ts'

for (const theme of themes) {
  const path = coverPath(theme.name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, await drawCover(theme))
}
