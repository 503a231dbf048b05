/** Converts a conversation to the prompt of a language model of a provider package. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { TextItem, TextPart } from '@generation-gateway/kit/requests/text.ts'
import { answerItem, runOf } from '../../../shared/text/packages/provider-parts.ts'
import { partsOfAnswer } from './answer-parts.ts'
import { markOfResult, withMark } from './cache-marks.ts'
import { type ConversationFiles, filePart, type MediaPart, resultFilePart } from './files.ts'
import type { LanguageVersion, PromptMessage, PromptPart } from './language-model.ts'

import type { AnswerTarget } from './signatures.ts'

export interface PromptTarget extends AnswerTarget {
  version: LanguageVersion
  files: ConversationFiles
  /** True when the package sends files inside of the results of tools. */
  takesFilesInResults: boolean
}

type ResultItem = Extract<TextItem, { type: 'result' }>
type MessageWithParts = Extract<PromptMessage, { content: PromptPart[] }>

/** Returns the prompt. All instructions are joined into one message at its beginning, because
 *  several services refuse instructions anywhere else. Throws the errors of downloads, and
 *  `invalid_request` for a file that cannot be read. */
export async function promptOf(items: readonly TextItem[], to: PromptTarget): Promise<PromptMessage[]> {
  const names = new Map(items.flatMap(item => (item.type === 'call' ? [[item.callId, item.name] as const] : [])))
  const instructions: TextPart[][] = []
  const messages: MessageWithParts[] = []
  for (let at = 0; at < items.length; ) {
    const item = items[at]
    if (item?.type === 'message' && item.role !== 'user' && item.role !== 'assistant') {
      instructions.push(item.parts)
      at += 1
    } else if (item?.type === 'message' && item.role === 'user') {
      messages.push({ role: 'user', content: await userParts(item.parts, to) })
      at += 1
    } else if (item?.type === 'result') {
      const results = runOf(items, at, each => (each.type === 'result' ? each : undefined))
      messages.push(...(await resultMessages(results, names, to)))
      at += results.length
    } else {
      const answer = runOf(items, at, answerItem)
      const content = partsOfAnswer(answer, to)
      if (content.length > 0) messages.push({ role: 'assistant', content })
      at += answer.length
    }
  }
  return [...systemMessages(instructions, to), ...messages]
}

/** Returns the instructions as one message. When parts of them have cache marks, returns several
 *  messages, each of which ends with a marked part or with the last part. */
function systemMessages(instructions: readonly TextPart[][], to: PromptTarget): PromptMessage[] {
  const messages: PromptMessage[] = []
  let open: string[] = []
  const close = (mark: { cacheControl?: JsonObject }) => {
    if (open.length > 0) messages.push(withMark<PromptMessage>({ role: 'system', content: open.join('\n\n') }, mark, to))
    open = []
  }
  for (const parts of instructions) {
    let from = 0
    for (const [index, part] of parts.entries()) {
      const isEnd = to.marksUnder !== undefined && part.cacheControl !== undefined
      if (!isEnd && index < parts.length - 1) continue
      const text = textIn(parts.slice(from, index + 1))
      if (text !== '') open.push(text)
      if (isEnd) close(part)
      from = index + 1
    }
  }
  close({})
  return messages
}

function textIn(parts: readonly TextPart[]): string {
  return parts.flatMap(part => (isText(part) ? [part.text] : [])).join('\n')
}

function isText(part: TextPart): part is Extract<TextPart, { type: 'text' | 'refusal' }> {
  return part.type === 'text' || part.type === 'refusal'
}

async function userParts(parts: readonly TextPart[], to: PromptTarget): Promise<PromptPart[]> {
  const content: PromptPart[] = []
  for (const part of parts) {
    const plain: PromptPart = isText(part)
      ? { type: 'text', text: part.text }
      : { ...filePart(await to.files.fileOf(part), to.version), ...optionsOf(part) }
    content.push(withMark(plain, part, to))
  }
  return content.length === 0 ? [{ type: 'text', text: '' }] : content
}

/** Returns the options for a file, as packages document them: the detail of a picture (OpenAI),
 *  or the frame rate of a video (Google). A package ignores options of another provider. */
function optionsOf(part: MediaPart): Pick<PromptPart, 'providerOptions'> {
  if (part.type === 'image' && part.detail !== undefined) return { providerOptions: { openai: { imageDetail: part.detail } } }
  if (part.type !== 'video' || part.fps === undefined) return {}
  const videoMetadata = { fps: part.fps }
  return { providerOptions: { google: { videoMetadata }, vertex: { videoMetadata }, googleVertex: { videoMetadata } } }
}

/** Returns the message with the results. It is followed by a user message with the files that the
 *  results cannot contain. When the package sends no files inside of results, these are all files.
 *  Otherwise they are the files of failed results, because an output with files cannot say that the
 *  tool failed. */
async function resultMessages(
  results: readonly ResultItem[],
  names: ReadonlyMap<string, string>,
  to: PromptTarget,
): Promise<MessageWithParts[]> {
  const content: PromptPart[] = []
  const shown: PromptPart[] = []
  for (const result of results) {
    const { callId, output, isError } = result
    const parts: readonly TextPart[] = typeof output === 'string' ? [{ type: 'text', text: output }] : output
    const files = parts.filter(part => !isText(part))
    const isWhole = files.length > 0 && to.takesFilesInResults && isError !== true
    const part: PromptPart = {
      type: 'tool-result',
      toolCallId: callId,
      toolName: names.get(callId) ?? 'tool',
      output: isWhole
        ? { type: 'content', value: await resultParts(parts, to) }
        : { type: isError === true ? 'error-text' : 'text', value: textIn(parts) },
    }
    content.push(withMark(part, markOfResult(result), to))
    if (!isWhole) shown.push(...(await userParts(files, to)).slice(0, files.length))
  }
  const message: MessageWithParts = { role: 'tool', content }
  return shown.length === 0 ? [message] : [message, { role: 'user', content: shown }]
}

async function resultParts(parts: readonly TextPart[], to: PromptTarget): Promise<PromptPart[]> {
  const value: PromptPart[] = []
  for (const part of parts) {
    if (isText(part)) value.push({ type: 'text', text: part.text })
    else value.push(resultFilePart(await to.files.fileOf(part, true), to.version))
  }
  return value
}
