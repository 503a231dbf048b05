/** Runs Python clients against the built-in model of a gateway without configuration. */
import { after, before, test } from 'node:test'
import { needPack } from '../../packs/testing/need-pack.ts'
import { startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'
import { needEnvironment } from './testing/environments.ts'
import { runCases } from './testing/run-cases.ts'

const needs = { ...needPack('text-135m'), ...needEnvironment('litellm') }

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ env: { GATEWAY_ENGINE_WORKERS: '1' } })
})
after(() => gateway[Symbol.asyncDispose]())

test('built-in model (Python)', needs, t =>
  runCases(t, 'litellm', 'use_built_in.py', { GATEWAY_URL: `${gateway.url}/v1`, GATEWAY_KEY: testKey }),
)
