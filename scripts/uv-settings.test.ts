import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uvSettingsOf } from './uv-settings.ts'

test("pip's settings become those of uv; the environment is stronger than the files, and other settings are left out", () => {
  const list = [
    ":env:.index-url='http://mirror.test/simple'",
    ":env:.default-timeout='180'",
    "global.index-url='http://elsewhere.test/simple'",
    "global.cert='/etc/ssl/all.crt'",
    "global.extra-index-url='http://one.test/simple\\nhttp://two.test/simple'",
    "install.find-links='/opt/wheels /srv/wheels'",
    "install.no-index='true'",
    "freeze.index-url='http://freeze.test/simple'",
  ].join('\n')
  assert.deepEqual(uvSettingsOf(list), {
    UV_DEFAULT_INDEX: 'http://mirror.test/simple',
    SSL_CERT_FILE: '/etc/ssl/all.crt',
    UV_INDEX: 'http://one.test/simple http://two.test/simple',
    UV_FIND_LINKS: '/opt/wheels,/srv/wheels',
    UV_NO_INDEX: 'true',
  })
})
