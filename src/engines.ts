/** The engines that can be installed with the gateway. Each is a separate package, and the gateway
 *  works without any of them (docs/decisions/0018). */
import type { EngineSpec } from '@generation-gateway/kit/driver.ts'

/** All engine packages, in the order in which tables show them. Title and capabilities are
 *  repeated here, because a package that is not installed cannot be read. */
const packages: readonly EnginePackage[] = [
  {
    id: 'studio',
    title: 'Studio, the built-in image engine',
    capabilities: ['image.generate', 'image.edit', 'image.upscale', 'text.moderate'],
    load: () => import('@generation-gateway/studio'),
  },
  {
    id: 'text',
    title: 'Built-in language models',
    capabilities: ['text.respond'],
    load: () => import('@generation-gateway/text'),
  },
  {
    id: 'embedder',
    title: 'Built-in embeddings',
    capabilities: ['text.embed', 'text.rerank'],
    load: () => import('@generation-gateway/embedder'),
  },
  {
    id: 'speech',
    title: 'Built-in voices',
    capabilities: ['speech.synthesize'],
    load: () => import('@generation-gateway/speech'),
  },
  {
    id: 'recognition',
    title: 'Built-in speech recognition',
    capabilities: ['audio.transcribe', 'audio.translate'],
    load: () => import('@generation-gateway/recognition'),
  },
  {
    id: 'search',
    title: 'Built-in search index',
    capabilities: ['search.keyword', 'search.vertical', 'search.top'],
    load: () => import('@generation-gateway/search'),
  },
  {
    id: 'film',
    title: 'Film, the built-in video engine',
    capabilities: ['video.generate'],
    load: () => import('@generation-gateway/film'),
  },
  {
    id: 'composer',
    title: 'Composer, the built-in music engine',
    capabilities: ['music.song', 'music.instrumental'],
    load: () => import('@generation-gateway/composer'),
  },
  {
    id: 'slides',
    title: 'Slides, the built-in presentation engine',
    capabilities: ['slides.write', 'slides.render'],
    load: () => import('@generation-gateway/slides'),
  },
]

interface EnginePackage extends Pick<EngineSpec, 'id' | 'title' | 'capabilities'> {
  load(): Promise<{ default: EngineSpec }>
}

/** An engine package of the gateway that is not installed on this machine. */
export interface MissingEngine extends Pick<EngineSpec, 'id' | 'title' | 'capabilities'> {
  /** A sentence that states the command which installs the engine, and what is used without it. */
  howToGet: string
}

const found = await Promise.all(packages.map(findEngine))

/** The engines that are installed. */
export const engines: readonly EngineSpec[] = found.flatMap(({ spec }) => spec ?? [])

/** The engines that are not installed. */
export const missingEngines: readonly MissingEngine[] = found.flatMap(({ missing }) => missing ?? [])

async function findEngine({ load, ...facts }: EnginePackage): Promise<{ spec?: EngineSpec; missing?: MissingEngine }> {
  try {
    return { spec: (await load()).default }
  } catch (error) {
    const name = `@generation-gateway/${facts.id}`
    if (!isMissing(error, name)) throw error
    const howToGet = `The engine ${facts.id} is not installed: npm ci adds it, or a target under models in the file that GATEWAY_CONFIG names takes its place.`
    return { missing: { ...facts, howToGet } }
  }
}

/** True when the package itself is not installed. False when the package is installed and
 *  something that it imports is missing: the package is then broken. */
function isMissing(error: unknown, name: string): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === 'ERR_MODULE_NOT_FOUND' &&
    error.message.startsWith(`Cannot find package '${name}'`)
  )
}
