/** Models that chat and responses have without any configuration. */
import type { FamilyModel } from './family.ts'

/** The first is the default of both families; the second needs its pack (`npm run setup -- text-1.5b`). Sizes and licences: engines-audio.md, section 10. */
export const textModels: readonly FamilyModel[] = [
  {
    id: 'smollm2-135m-instruct',
    title: 'SmolLM2 135M Instruct, built in',
    capability: 'text.respond',
    engine: 'text',
    engineModel: 'text-135m',
  },
  {
    id: 'qwen2.5-coder-1.5b-instruct',
    title: 'Qwen2.5 Coder 1.5B Instruct, built in',
    capability: 'text.respond',
    engine: 'text',
    engineModel: 'text-1.5b',
  },
]
