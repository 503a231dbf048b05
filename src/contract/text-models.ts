/** Models that chat and responses have without any configuration. */
import type { FamilyModel } from './model.ts'

/** The first is the default of both families, unless only a smaller pack is ready, or a better one is (`npm run setup -- text-1.5b`). Sizes and licences: decision 0005. */
export const textModels: readonly FamilyModel[] = [
  {
    id: 'qwen2.5-coder-0.5b-instruct',
    title: 'Qwen2.5 Coder 0.5B Instruct, built in',
    capability: 'text.respond',
    engine: 'text',
    engineModel: 'text-0.5b',
    rank: 2,
  },
  {
    id: 'smollm2-135m-instruct',
    title: 'SmolLM2 135M Instruct, built in, for small machines',
    capability: 'text.respond',
    engine: 'text',
    engineModel: 'text-135m',
    rank: 1,
  },
  {
    id: 'qwen2.5-coder-1.5b-instruct',
    title: 'Qwen2.5 Coder 1.5B Instruct, built in',
    capability: 'text.respond',
    engine: 'text',
    engineModel: 'text-1.5b',
    rank: 3,
  },
]
