/** The two major versions of OpenAI's client under one type. */
import OpenAI from 'openai'
import { makeParseableResponseFormat, makeParseableTextFormat } from 'openai/lib/parser'
import OpenAI6 from 'openai-6'
import * as parser6 from 'openai-6/lib/parser'
import type { RouteName, Routes } from './start-routes.ts'

export interface OpenaiSdk {
  name: string
  major: 6 | 7
  Client: typeof OpenAI
  makeParseableResponseFormat: typeof makeParseableResponseFormat
  makeParseableTextFormat: typeof makeParseableTextFormat
}

export const sdks: readonly OpenaiSdk[] = [
  { name: 'openai 7', major: 7, Client: OpenAI, makeParseableResponseFormat, makeParseableTextFormat },
  // The cast is safe: both versions have the same calls, but the compiler treats two classes with
  // private members as different types.
  { name: 'openai 6', major: 6, Client: OpenAI6, ...parser6 } as unknown as OpenaiSdk,
]

/** Returns a client for which only the base URL and the key are set. */
export function connect({ Client }: OpenaiSdk, { baseURL, apiKey }: Pick<Routes, 'baseURL' | 'apiKey'>): OpenAI {
  return new Client({ baseURL, apiKey })
}

/** Returns the routes on which the cases run with this version of the client. The newest version
 *  runs on all routes. What a client sends and receives depends only on whether the gateway relays
 *  or translates the request, so the older version runs on one route of each kind. */
export function routesOf({ major }: OpenaiSdk, routes: readonly RouteName[]): readonly RouteName[] {
  return major === 7 ? routes : routes.filter(route => route === 'translated' || route === 'relayed')
}
