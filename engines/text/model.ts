/** Opens the model of a child process: the weights, the tokenizer and the chat template. */
import { resolve } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type ChatWrapper, getLlama, type Llama, LlamaLogLevel, type LlamaModel, resolveChatWrapper, type Token } from 'node-llama-cpp'
import type { ModelSettings } from './messages.ts'
import { type Sampling, samplingOf } from './sampling.ts'

/** Largest default context, in tokens. This context has room for the prompts that coding agents
 *  send before the first word of the user (9,082 tokens for Codex 0.169). */
const largestDefaultContext = 16_384

export interface OpenModel {
  name: string
  llama: Llama
  model: LlamaModel
  wrapper: ChatWrapper
  /** Largest number of tokens of one conversation, including the answer. */
  contextSize: number
  /** UTF-8 bytes of the longest token. */
  longestTokenBytes: number
  /** Tokens that have no text and do not end an answer. The model must never write these tokens. */
  banned: Token[]
  /** Default sampling parameters for those that a caller does not set. */
  sampling: Sampling
  /** Texts of the chat template that end an answer, for a template without an end token. */
  ends: string[]
}

/** Opens a model. Throws `capability_unavailable` when the file cannot be loaded, and
 *  `invalid_request` when `context` is longer than the model was trained for. */
export async function openModel(settings: ModelSettings, log: (message: string) => void): Promise<OpenModel> {
  const { file, name, context, threads } = settings
  const llama = await getLlama({
    gpu: false,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    maxThreads: threads,
    logLevel: LlamaLogLevel.error,
    logger: (_, message) => log(message.trimEnd()),
  })
  // Only the library's test of its own binary needed this permission, and the test is done.
  process.permission?.drop('child')
  const model = await loadModel(llama, resolve(file), name)
  const trained = model.trainContextSize
  if (context !== undefined && context > trained) {
    throw new GatewayError('invalid_request', `context is ${context}; ${name} was trained for ${trained} tokens.`)
  }
  const wrapper = wrapperOf(model)
  return {
    name,
    llama,
    model,
    wrapper,
    contextSize: context ?? Math.min(trained, largestDefaultContext),
    longestTokenBytes: longestToken(model),
    banned: bannedTokens(model),
    sampling: samplingOf(model.fileInfo.metadata, settings.sampling),
    ends: endTexts(wrapper),
  }
}

async function loadModel(llama: Llama, file: string, name: string): Promise<LlamaModel> {
  try {
    return await llama.loadModel({ modelPath: file, gpuLayers: 0, useMmap: true })
  } catch (cause) {
    throw new GatewayError(
      'capability_unavailable',
      `${name} cannot be loaded from its file: ${cause instanceof Error ? cause.message : 'unknown reason'}.`,
      { cause },
    )
  }
}

/** Returns the chat template of the model file if it works. Otherwise returns the template that the
 *  library chooses for this kind of model. */
function wrapperOf(model: LlamaModel): ChatWrapper {
  if (!model.fileInfo.metadata.tokenizer?.chat_template) return resolveChatWrapper(model, { warningLogs: false })
  try {
    const wrapper = resolveChatWrapper(model, { type: 'jinjaTemplate', warningLogs: false })
    wrapper.generateContextState({
      chatHistory: [
        { type: 'user', text: 'a' },
        { type: 'model', response: [] },
      ],
    })
    return wrapper
  } catch {
    return resolveChatWrapper(model, { warningLogs: false })
  }
}

function longestToken(model: LlamaModel): number {
  let longest = 1
  for (const token of model.iterateAllTokens()) longest = Math.max(longest, Buffer.byteLength(model.detokenize([token], true)))
  return longest
}

function bannedTokens(model: LlamaModel): Token[] {
  return [...model.iterateAllTokens()].filter(token => {
    const attributes = model.getTokenAttributes(token)
    return (attributes.control || attributes.unknown || attributes.unused || attributes.undefined) && !model.isEogToken(token)
  })
}

function endTexts(wrapper: ChatWrapper): string[] {
  const { stopGenerationTriggers } = wrapper.generateContextState({
    chatHistory: [
      { type: 'user', text: 'a' },
      { type: 'model', response: [] },
    ],
  })
  return stopGenerationTriggers
    .flatMap(({ values }) => (values.every(value => typeof value === 'string') ? [values.join('')] : []))
    .filter(text => text.trim() !== '')
}
