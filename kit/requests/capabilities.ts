/** The list of every capability. docs/adding-a-family.md#a-new-capability describes how to add
 *  one. */
import type { InputFacts, UsageUnits } from './capability.ts'
import { imageEdit, imageGenerate, imageUpscale } from './image.ts'
import { textModerate } from './moderate.ts'
import { musicInstrumental, musicSong } from './music.ts'
import { textEmbed } from './retrieval/embed.ts'
import { textRerank } from './retrieval/rerank.ts'
import { searchKeyword, searchTop, searchVertical } from './search.ts'
import { slidesRender, slidesWrite } from './slides.ts'
import { speechSynthesize } from './speech.ts'
import { textRespond } from './text.ts'
import { audioTranscribe, audioTranslate } from './transcript.ts'
import { videoGenerate } from './video.ts'

export const capabilities = {
  'image.generate': imageGenerate,
  'image.edit': imageEdit,
  'image.upscale': imageUpscale,
  'video.generate': videoGenerate,
  'music.song': musicSong,
  'music.instrumental': musicInstrumental,
  'speech.synthesize': speechSynthesize,
  'audio.transcribe': audioTranscribe,
  'audio.translate': audioTranslate,
  'text.respond': textRespond,
  'text.embed': textEmbed,
  'text.rerank': textRerank,
  'text.moderate': textModerate,
  'search.keyword': searchKeyword,
  'search.vertical': searchVertical,
  'search.top': searchTop,
  'slides.write': slidesWrite,
  'slides.render': slidesRender,
} as const

export type Capability = keyof typeof capabilities
// The cast is safe: `Object.keys` returns exactly the names of the capabilities.
export const capabilityNames = Object.keys(capabilities) as Capability[]
/** Capabilities that run as calls without a task and whose answers are streams of events. A driver
 *  must offer such a capability with a `StreamedOffer`. */
const streamed = ['text.respond', 'text.embed', 'text.rerank', 'text.moderate'] as const
export type StreamedCapability = (typeof streamed)[number]

export function isStreamed(name: Capability): name is StreamedCapability {
  return (streamed as readonly Capability[]).includes(name)
}

type Types<C extends Capability> = NonNullable<(typeof capabilities)[C]['types']>
export type RequestOf<C extends Capability> = Types<C>['request']
export type ResultOf<C extends Capability> = Types<C>['result']
export type EventOf<C extends Capability> = Types<C>['event']

/** Returns the units that the target will probably count for this request. */
export function expectedUnits<C extends Capability>(name: C, request: RequestOf<C>, inputs: readonly InputFacts[]): UsageUnits[] {
  // The cast is safe: each entry gets requests of its own capability, which the union of all
  // entries cannot express.
  const { expectedUnits: of } = capabilities[name] as { expectedUnits(request: RequestOf<C>, inputs: readonly InputFacts[]): UsageUnits[] }
  return of(request, inputs)
}
