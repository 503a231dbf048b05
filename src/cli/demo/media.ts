/** Clips, music and decks: each is a task that is submitted, polled and fetched. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Demo, DemoCall, DemoContext, OutputJudge } from './demo.ts'
import { clip } from './judge/clip.ts'
import { deck } from './judge/deck.ts'
import { sound } from './judge/sound.ts'
import { checked, poll, post } from './post.ts'

/** The start of a family's task, and its polling up to the link of its file. */
interface TaskDemo {
  id: string
  family: string
  title: string
  ending: string
  /** Submits the task, and returns the URL of its state. */
  begin(context: DemoContext): Promise<string>
  /** Returns the link once it exists. Throws the reason when the task has failed. */
  read(state: State, url: string): string | undefined
  /** Describes the result in one line. */
  factsOf?(state: State): string
  /** Start of the task, where that was before `begin`: `performance.now()`. */
  startedAt?: number
  judge: OutputJudge
}

type State = Record<string, unknown>

function succeededOutput({ id, family, title, ending, begin, read, factsOf = () => '', startedAt: begunAt, judge }: TaskDemo): DemoCall {
  return {
    ...{ id, family, title, judge },
    make: async context => {
      const { accessKey, output } = context
      const startedAt = begunAt ?? performance.now()
      const url = await begin(context)
      const { link, facts } = await poll<State, { link: string; facts: string }>(context, url, state => {
        const link = read(state, url)
        return link === undefined ? undefined : { link, facts: factsOf(state) }
      })
      const answer = await checked(await fetch(link, { headers: { authorization: `Bearer ${accessKey}` } }))
      const bytes = Buffer.from(await answer.arrayBuffer())
      const file = `${id}.${ending}`
      await writeFile(join(output, file), bytes)
      const seconds = (performance.now() - startedAt) / 1000
      return { file, bytes: bytes.length, facts: [facts, `made in ${seconds.toFixed(1)} s`].filter(text => text !== '').join(', ') }
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
      ...{ id: 's-clip', family: 'S', title: sailing, ending: 'mp4' },
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

export const hDemo: Demo = {
  family: 'H',
  calls: [
    {
      ...{ id: 'h-clip', family: 'H', title: fox, judge: foxJudge },
      make: async context => {
        const startedAt = performance.now()
        const base = `${context.url}/v1/ai/default/vidh/video`
        const { taskId } = await post<{ taskId: string }>(context, 'vidh/video/generate', { prompt: fox, duration: 6, resolution: '768P' })
        const { fileId, size } = await poll<State, { fileId: string; size: string }>(context, `${base}/task/${taskId}`, state => {
          if (state.status === 'Fail') failed(Object(state.base_resp).status_msg)
          return state.status === 'Success' ? { fileId: String(state.fileId), size: `${state.videoWidth}x${state.videoHeight}` } : undefined
        })
        return succeededOutput({
          ...{ id: 'h-clip', family: 'H', title: fox, ending: 'mp4', judge: foxJudge },
          begin: async () => `${base}/file?taskId=${taskId}&fileId=${fileId}`,
          read: ({ mediaUrl }) => (typeof mediaUrl === 'string' ? mediaUrl : undefined),
          factsOf: () => `${size}, 6 s`,
          startedAt,
        }).make(context)
      },
    },
  ],
}

const night = 'a rainy city street at night, slow pan left'

export const vDemo: Demo = {
  family: 'V',
  calls: [
    {
      ...{ id: 'v-clip', family: 'V', title: night },
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
            await writeFile(join(context.output, 'v-clip.mp4'), bytes)
            const seconds = (performance.now() - startedAt) / 1000
            return { file: 'v-clip.mp4', bytes: bytes.length, facts: `720p, 4 s, made in ${seconds.toFixed(1)} s` }
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
      ...{ id: 'k-clip', family: 'K', title: horses, ending: 'mp4' },
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
    ...{ id, family: 'M', title, ending: 'mp3' },
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
      ...{ id: 'slides-deck', family: 'Slides', title: 'A deck: How lighthouses work' },
      make: async context => {
        const { url, accessKey, output } = context
        const startedAt = performance.now()
        const headers = { authorization: `Bearer ${accessKey}` }
        const base = `${url}/v1/ai/default/ppt`
        const body = new FormData()
        body.set('type', '1')
        body.set('title', 'How lighthouses work')
        // The gateway's own answers, in the shape that the interface documents.
        const { taskId } = (await (await checked(await fetch(`${base}/task`, { method: 'POST', headers, body }))).json()) as {
          taskId: string
        }
        const list = await checked(await fetch(`${base}/export/templates?pageNo=1&pageSize=1`, { headers }))
        const [template] = ((await list.json()) as { list: { id: number; title: string }[] }).list
        const exportId = await poll<State, string>(context, `${base}/export/${taskId}/${template?.id}`, ready('exportId', '1222'))
        const urls = await poll<State, unknown>(context, `${base}/export/result/${exportId}`, ready('urls', '1223'))
        const links = Object(urls) as string[]
        const sizes: number[] = []
        for (const [index, ending] of ['pptx', 'pdf'].entries()) {
          const answer = await checked(await fetch(links[index] ?? failed('The export has too few files.')))
          const file = Buffer.from(await answer.arrayBuffer())
          await writeFile(join(output, `slides-deck.${ending}`), file)
          sizes.push(file.length)
        }
        const [bytes = 0] = sizes
        const seconds = (performance.now() - startedAt) / 1000
        return {
          file: 'slides-deck.pptx',
          bytes,
          facts: `template ${template?.title}, with slides-deck.pdf, made in ${seconds.toFixed(1)} s`,
        }
      },
      judge: deck({ title: 'How lighthouses work', leastSlides: 8 }),
    },
  ],
}

/** Returns the member once it exists; an error with the code `wait` means to poll again. */
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
