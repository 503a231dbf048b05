/** Helpers for tests that run the whole engine: they open the engine, list the fields that every
 *  request has, and decode a picture file. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { openEngine } from '@generation-gateway/kit/open-engine.ts'
import sharp from 'sharp'
import studio from '../driver.ts'

export const common = { seed: '5', safetyTolerance: 2, format: 'png' } as const

/** Opens an engine with one core and a folder of its own; closes the engine and deletes the folder
 *  after the tests of the file. */
export function openStudio() {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-studio-'))
  const engine = openEngine(studio, { folder, cores: 1 })
  after(async () => {
    await engine.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { engine, folder }
}

/** Returns the pixels of a picture, three bytes each, without alpha. `picture`: a path or the bytes
 *  of a file. */
export function pixelsOf(picture: string | Uint8Array): Promise<Buffer> {
  return sharp(picture).removeAlpha().raw().toBuffer()
}
