import { ffmpegPacks } from '@generation-gateway/kit/audio/ffmpeg-pack.ts'
import type { Pack, PackSource } from '@generation-gateway/kit/packs.ts'

/** Returns all packs: the gateway's own ffmpeg, and the packs of these engines. A pack that several
 *  engines use is listed once. */
export function manifestOf(engines: readonly { packs?: readonly Pack[] }[]): readonly Pack[] {
  return [...ffmpegPacks, ...new Set(engines.flatMap(({ packs = [] }) => packs))]
}

/** Returns the number of bytes of all files in a pack. */
export function packBytes(pack: Pack): number {
  return pack.files.reduce((sum, file) => sum + file.bytes, 0)
}

/** Returns a few words that describe where a source's bytes come from. */
export function describeSource(source: PackSource): string {
  if (source.kind === 'made') return source.of.map(({ sources: [first] }) => (first ? describeSource(first) : 'nothing')).join(', ')
  if (source.kind === 'url') return URL.parse(source.url)?.host ?? source.url
  const [first] = source.parts
  if (!first) return 'no package'
  const more = source.parts.length > 1 ? ` and ${source.parts.length - 1} more` : ''
  return `${first.from} ${first.name}${more}`
}

/** Returns a size as text: `98 MB`, `1.1 GB` (powers of ten). */
export function sizeText(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`
  if (bytes >= 1e6) return `${Math.round(bytes / 1e6)} MB`
  return bytes >= 1e3 ? `${Math.round(bytes / 1e3)} kB` : `${bytes} bytes`
}
