/** Demos of clips, music and slide decks: each submits a task, polls it and fetches the file. */
import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type Demo, type DemoCall, type DemoContext, type OutputJudge, saved, timeSince } from './demo.ts'
import { clip } from './judge/clip.ts'
import { deck } from './judge/deck.ts'
import { sound } from './judge/sound.ts'
import { call, follow, poll, post } from './post.ts'

/** Describes the task of one family: how to submit it, and how to poll it until the link to its
 *  file is known. */
interface TaskDemo {
  id: string
  title: string
  ending: string
  /** Submits the task and returns the URL at which its state can be polled. */
  begin(context: DemoContext): Promise<string>
  /** Returns the link to the file; undefined while the task runs. Throws the reason when the task
   *  has failed. */
  read(state: State, url: string): string | undefined
  /** Returns one line that describes the result. */
  factsOf?(state: State): string
  judge: OutputJudge
}

type State = Record<string, unknown>

function succeededOutput({ id, title, ending, begin, read, factsOf = () => '', judge }: TaskDemo): DemoCall {
  return {
    ...{ id, title, judge },
    make: async context => {
      const startedAt = performance.now()
      const url = await begin(context)
      const { link, facts } = await poll<State, { link: string; facts: string }>(context, url, state => {
        const link = read(state, url)
        return link === undefined ? undefined : { link, facts: factsOf(state) }
      })
      const bytes = Buffer.from(await (await call(context, link)).arrayBuffer())
      const made = `made in ${timeSince(startedAt)}`
      return saved(context, `${id}.${ending}`, { bytes, facts: [facts, made].filter(text => text !== '').join(', ') })
    },
  }
}

function failed(reason: unknown): never {
  throw new GatewayError('upstream_error', String(reason ?? 'It failed without a reason.'))
}

const sailing = 'a sailing boat on the sea at sunset, gulls in the sky'
const fox = 'a fox walks through a snowy forest [Pan Right], snow is falling'
const hd = { width: 1280, height: 720 }
const foxJudge = clip({
  prompt: 'a fox walks through a snowy forest, snow is falling',
  width: 1366,
  height: 768,
  seconds: 6,
  hasSound: false,
})

export const sDemo: Demo = {
  family: 'S',
  calls: [
    succeededOutput({
      ...{ id: 's-clip', title: sailing, ending: 'mp4' },
      judge: clip({ prompt: sailing, ...hd, seconds: 8, hasSound: true }),
      begin: async context => {
        const { id } = await post<{ id: string }>(context, 'videos', { prompt: sailing, seconds: '8', size: '1280x720' })
        return `${context.url}/v1/ai/default/videos/${id}`
      },
      read: (state, at) =>
        state.status === 'failed' ? failed(Object(state.error).message) : state.status === 'completed' ? `${at}/content` : undefined,
      factsOf: ({ size, seconds }) => `${size}, ${seconds} s`,
    }),
  ],
}

export const hDemo: Demo = { family: 'H', calls: [foxClip()] }

/** In this family, the state of the task contains the size of the clip, and the state of the
 *  file contains the link. */
function foxClip(): DemoCall {
  let size = ''
  return succeededOutput({
    ...{ id: 'h-clip', title: fox, ending: 'mp4', judge: foxJudge },
    begin: async context => {
      const base = `${context.url}/v1/ai/default/vidh/video`
      const { taskId } = await post<{ taskId: string }>(context, 'vidh/video/generate', { prompt: fox, duration: 6, resolution: '768P' })
      const fileId = await poll<State, string>(context, `${base}/task/${taskId}`, state => {
        if (state.status === 'Fail') failed(Object(state.base_resp).status_msg)
        size = `${state.videoWidth}x${state.videoHeight}`
        return state.status === 'Success' ? String(state.fileId) : undefined
      })
      return `${base}/file?taskId=${taskId}&fileId=${fileId}`
    },
    read: ({ mediaUrl }) => (typeof mediaUrl === 'string' ? mediaUrl : undefined),
    factsOf: () => `${size}, 6 s`,
  })
}

const night = 'a rainy city street at night, slow pan left'

export const vDemo: Demo = {
  family: 'V',
  calls: [
    {
      ...{ id: 'v-clip', title: night },
      judge: clip({ prompt: 'a rainy city street at night', ...hd, seconds: 4, hasSound: true }),
      make: async context => {
        const startedAt = performance.now()
        const parameters = { aspectRatio: '16:9', durationSeconds: 4, resolution: '720p', sampleCount: 1, generateAudio: true, seed: 3 }
        const { name } = await post<{ name: string }>(context, 'vidv/videos/generate', { instances: [{ prompt: night }], parameters })
        for (;;) {
          const state = await post<State>(context, 'vidv/videos/task', { operationName: name })
          const { error, response } = { error: Object(state.error), response: Object(state.response) }
          if (error.message !== undefined) failed(error.message)
          if (state.done === true) {
            const bytes = Buffer.from(String(response.videos?.[0]?.bytesBase64Encoded ?? ''), 'base64')
            return saved(context, 'v-clip.mp4', { bytes, facts: `720p, 4 s, made in ${timeSince(startedAt)}` })
          }
          await sleep(1_000)
        }
      },
    },
  ],
}

const horses = 'two horses gallop over a meadow in the morning'

export const kDemo: Demo = {
  family: 'K',
  calls: [
    succeededOutput({
      ...{ id: 'k-clip', title: horses, ending: 'mp4' },
      judge: clip({ prompt: horses, width: 720, height: 720, seconds: 5, hasSound: false }),
      begin: async context => {
        const camera_control = { type: 'simple', config: { zoom: 4 } }
        const body = { prompt: horses, duration: '5', aspect_ratio: '1:1', camera_control }
        const { data } = await post<{ data: { task_id: string } }>(context, 'vidk/videos/text2video', body)
        return `${context.url}/v1/ai/default/vidk/videos/text2video/${data.task_id}`
      },
      read: ({ data, message }) => {
        const { task_status: status, task_status_msg: why, task_result: result } = Object(data)
        if (status === 'failed') failed(why ?? message)
        return status === 'succeed' ? Object(result).videos[0].url : undefined
      },
      factsOf: () => 'square, 5 s, the camera zooms',
    }),
  ],
}

const lyrics = `[Verse]
A lantern on the harbour wall
is shining for us one and all
[Chorus]
Come home, come home, the night is long
the sea is singing us a song`

const music = (id: string, title: string, path: string, body: State): DemoCall =>
  succeededOutput({
    judge: sound({ seconds: [20, 300] }),
    ...{ id, title, ending: 'mp3' },
    begin: async context =>
      `${context.url}/v1/ai/default/${path}/query/${(await post<{ id: string }>(context, `${path}/generate`, body)).id}`,
    read: ({ status, choices, failed_reason: reason }) => {
      if (status === 'failed' || status === 'timeouted' || status === 'cancelled') failed(reason)
      return status === 'succeeded' ? Object(choices)[0].url : undefined
    },
    factsOf: ({ choices }) => `${Object(choices)[0].style ?? 'music'}, ${Math.round(Object(choices)[0].duration / 1000)} s`,
  })

export const musicDemo: Demo = {
  family: 'M',
  calls: [
    music('m-song', 'A song: a lantern on the harbour wall', 'mus/song', {
      lyrics,
      prompt: 'slow folk, acoustic guitar, female voice',
      n: 1,
    }),
    music('m-instrumental', 'An instrumental: bossa nova with flute', 'mus/instrumental', {
      prompt: 'bossa nova with flute, relaxed',
      n: 1,
    }),
  ],
}

export const slidesDemo: Demo = {
  family: 'Slides',
  calls: [
    {
      ...{ id: 'slides-deck', title: 'A deck: How lighthouses work' },
      make: async context => {
        const startedAt = performance.now()
        const base = `${context.url}/v1/ai/default/ppt`
        const body = new FormData()
        body.set('type', '1')
        body.set('title', 'How lighthouses work')
        // The cast is safe: the gateway's answers have the documented shape.
        const { taskId } = (await (await call(context, `${base}/task`, { method: 'POST', body })).json()) as { taskId: string }
        const list = await call(context, `${base}/export/templates?pageNo=1&pageSize=1`)
        const [template] = ((await list.json()) as { list: { id: number; title: string }[] }).list
        const exportId = await poll<State, string>(context, `${base}/export/${taskId}/${template?.id}`, ready('exportId', '1222'))
        const urls = await poll<State, unknown>(context, `${base}/export/result/${exportId}`, ready('urls', '1223'))
        const links = Object(urls) as string[]
        const fileOf = async (link: string | undefined) =>
          Buffer.from(await (await follow(link ?? failed('The export has too few files.'))).arrayBuffer())
        await saved(context, 'slides-deck.pdf', { bytes: await fileOf(links[1]), facts: '' })
        const bytes = await fileOf(links[0])
        const facts = `template ${template?.title}, with slides-deck.pdf, made in ${timeSince(startedAt)}`
        return saved(context, 'slides-deck.pptx', { bytes, facts })
      },
      judge: deck({ title: 'How lighthouses work', leastSlides: 8 }),
    },
  ],
}

/** Returns a function that reads `member` from a polled state. While the state has an error with
 *  the code `wait`, the function returns undefined, so that polling continues; it throws any
 *  other error. */
function ready<Value>(member: string, wait: string): (state: State) => Value | undefined {
  return state => {
    const { code, message, gateway_code: own } = Object(state.error)
    if (code !== undefined && code !== wait)
      throw new GatewayError(
        own === 'capability_unavailable' || code === 'capability_unavailable' ? 'capability_unavailable' : 'upstream_error',
        message,
      )
    return state[member] as Value | undefined
  }
}
