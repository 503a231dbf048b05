/** Schemas that check neutral requests from outside, such as those of another gateway, for every
 *  capability whose work is a task. Each limit here is at least as wide as the widest limit of any
 *  family. Narrower limits of a model's family are checked elsewhere
 *  (`src/contract/neutral-limits.ts`). */
import type { TObject } from 'typebox'
import type { Capability, StreamedCapability } from '../capabilities.ts'
import { imageEditSchema, imageGenerateSchema, imageUpscaleSchema } from './image.ts'
import { musicSchema, speechSchema, transcribeSchema, translateSchema } from './sound.ts'
import { searchKeywordSchema, searchTopSchema, searchVerticalSchema, slidesRenderSchema, slidesWriteSchema } from './text.ts'
import { videoGenerateSchema } from './video.ts'

export const requestSchemas: Readonly<Record<Exclude<Capability, StreamedCapability>, TObject>> = {
  'image.generate': imageGenerateSchema,
  'image.edit': imageEditSchema,
  'image.upscale': imageUpscaleSchema,
  'video.generate': videoGenerateSchema,
  'music.song': musicSchema,
  'music.instrumental': musicSchema,
  'speech.synthesize': speechSchema,
  'audio.transcribe': transcribeSchema,
  'audio.translate': translateSchema,
  'search.keyword': searchKeywordSchema,
  'search.vertical': searchVerticalSchema,
  'search.top': searchTopSchema,
  'slides.write': slidesWriteSchema,
  'slides.render': slidesRenderSchema,
}
