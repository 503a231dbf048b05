import type { EngineModel } from '@generation-gateway/kit/driver.ts'

/** The models of the built-in text engine. The first one is the default, unless only a smaller pack
 *  or a better one (`npm run setup -- text-1.5b`) is installed. Sizes and licences: decision
 *  0005. */
export const textModels: readonly EngineModel[] = [
  {
    id: 'qwen2.5-coder-0.5b-instruct',
    title: 'Qwen2.5 Coder 0.5B Instruct, built in',
    capability: 'text.respond',
    name: 'text-0.5b',
    rank: 2,
  },
  {
    id: 'smollm2-135m-instruct',
    title: 'SmolLM2 135M Instruct, built in, for small machines',
    capability: 'text.respond',
    name: 'text-135m',
    rank: 1,
  },
  {
    id: 'qwen2.5-coder-1.5b-instruct',
    title: 'Qwen2.5 Coder 1.5B Instruct, built in',
    capability: 'text.respond',
    name: 'text-1.5b',
    rank: 3,
  },
]
