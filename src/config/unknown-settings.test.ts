import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settings } from './settings.ts'
import { unknownSettings } from './unknown-settings.ts'

test('a mistyped setting is named with the most similar one, without its value', () => {
  const env = { GATEWAY_CONFG: '/etc/a-path', GATEWAY_PORT: '9000', GATEWAY_CONFIG_FILE: 'x', GATEWAY_ADMIN_KEYS: 'a secret' }
  const near = ['GATEWAY_CONFIG', 'PORT', 'GATEWAY_CONFIG', 'GATEWAY_ADMIN_KEY']
  assert.deepEqual(
    unknownSettings(env),
    Object.keys(env).map((name, index) => `${name} is no setting of the gateway and has no effect; near is ${near[index]}.`),
  )
})

test('settings, their files, variables of other programs and names of configuration files are not reported', () => {
  const names = Object.values(settings).map(spec => spec.env)
  const others = ['GATEWAY_SECRET_KEY_FILE', 'GATEWAY_KEY', 'GATEWAY_URL', 'GATEWAY_SERVICE_PORT', 'GATEWAY_ACME_TOKEN', 'PATH']
  assert.deepEqual(unknownSettings(Object.fromEntries([...names, ...others].map(name => [name, '1']))), [])
  const kubernetes = {
    GATEWAY_PORT: 'tcp://10.0.0.1:8080',
    GATEWAY_PORT_8080_TCP: 'tcp://10.0.0.1:8080',
    GATEWAY_PORT_8080_TCP_ADDR: '10.0.0.1',
  }
  assert.deepEqual(unknownSettings(kubernetes), [])
})
