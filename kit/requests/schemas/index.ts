/** Schemas that check neutral requests from outside, such as those of another gateway, for every
 *  capability whose work is a task. Each limit is at least as wide as in the family where it is
 *  widest; the narrower limits of a model are checked with those of its family
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
