/** The two generations of OpenAI's client under one type. */
import OpenAI from 'openai'
import { makeParseableResponseFormat, makeParseableTextFormat } from 'openai/lib/parser'
import OpenAI6 from 'openai-6'
import * as parser6 from 'openai-6/lib/parser'
import type { Routes } from './start-routes.ts'

export interface OpenaiSdk {
  name: string
  major: 6 | 7
  Client: typeof OpenAI
  makeParseableResponseFormat: typeof makeParseableResponseFormat
  makeParseableTextFormat: typeof makeParseableTextFormat
}

export const sdks: readonly OpenaiSdk[] = [
  { name: 'openai 7', major: 7, Client: OpenAI, makeParseableResponseFormat, makeParseableTextFormat },
  // The cast: its calls are the same ones, but the compiler holds two classes with private members for different things.
  { name: 'openai 6', major: 6, Client: OpenAI6, ...parser6 } as unknown as OpenaiSdk,
]

/** A client with nothing but the base URL and the key. */
export function connect({ Client }: OpenaiSdk, { baseURL, apiKey }: Pick<Routes, 'baseURL' | 'apiKey'>): OpenAI {
  return new Client({ baseURL, apiKey })
}
