/** Calls video models of provider packages, versions v3 and v4 of the AI SDK's interface
 *  (`VideoModel` of `@ai-sdk/provider`). */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Json, JsonObject } from '@generation-gateway/kit/json.ts'
import type { ModelUse } from './exchanges.ts'
import { type CallFile, limitIn } from './image-model.ts'

/** The call options that both versions of the interface share. */
export interface VideoCall {
  prompt: string | undefined
  n: number
  aspectRatio: string | undefined
  resolution: string | undefined
  duration: number
  fps: number | undefined
  seed: number | undefined
  image: CallFile | undefined
  frameImages: { image: CallFile; frameType: 'first_frame' | 'last_frame' }[] | undefined
  inputReferences: CallFile[] | undefined
  generateAudio: boolean | undefined
  providerOptions: Readonly<JsonObject>
  abortSignal: AbortSignal
}

/** A video model of a package. Its methods return the package's answers. */
export interface VideoModel {
  /** Largest number of videos per call. */
  maxVideos: number
  /** Waits until the video is finished and returns it. Undefined when the model offers `doStart`
   *  and `doStatus`; then `start` and `status` are used instead. */
  generate: ((call: VideoCall) => Promise<unknown>) | undefined
  /** True when the service accepts a URL that it calls when the video is finished. */
  takesWebhook: boolean
  start(call: VideoCall & { webhookUrl?: string }): Promise<unknown>
  status(poll: { operation: Json; abortSignal: AbortSignal }): Promise<unknown>
}

const kind = { kind: 'video', makers: ['videoModel', 'video'], versions: ['v3', 'v4'] }
const methods = ['doGenerate', 'doStart', 'doStatus', 'handleWebhookOption'].map(name => ({ name, isMethod: true }) as const)
const wanted = ['videos', 'warnings', 'providerMetadata', 'operation', 'status', 'error']

/** Returns the target's model. Throws `capability_unavailable` when it is not a video model of a
 *  supported version, and the errors of the package. */
export async function videoModelOf(used: ModelUse, { package: name, model }: { package: string; model: string }): Promise<VideoModel> {
  const { has, members, call } = await used.model(kind, [{ name: 'maxVideosPerCall' }, ...methods])
  const isStarted = has('doStart') && has('doStatus')
  if (!isStarted && !has('doGenerate'))
    throw new GatewayError('capability_unavailable', `The video model ${model} of ${name} has neither doGenerate nor doStart.`)
  const result = { wanted }
  return {
    maxVideos: limitIn(members.maxVideosPerCall),
    generate: isStarted ? undefined : given => call('doGenerate', given, result),
    takesWebhook: has('handleWebhookOption'),
    start: given => call('doStart', given, result),
    status: poll => call('doStatus', poll, result),
  }
}
