import { type FakeReply, jsonReply, rawReply } from './fake-upstream.ts'

/** Returns answers with status 404 or 410 that say nothing about a task. They are what a proxy, an
 *  API gateway or a web framework sends when it has no such path, or a service when the path or the
 *  model is wrong. */
export function foreignNotFounds(): FakeReply[] {
  return [
    rawReply('<html><h1>404 Not Found</h1></html>', 404, { 'content-type': 'text/html' }),
    rawReply('default backend - 404', 404, { 'content-type': 'text/plain' }),
    rawReply('', 410),
    jsonReply({ message: 'no Route matched with those values' }, 404),
    jsonReply({ error_msg: '404 Route Not Found' }, 404),
    jsonReply({ detail: 'Not Found' }, 404),
    jsonReply({ status: 404, error: 'Not Found', path: '/v1/tasks/1' }, 404),
    jsonReply({ error: { message: 'Invalid URL (GET /v1/videos/1)', type: 'invalid_request_error', code: null } }, 404),
    jsonReply({ error: { message: 'The model video-1 does not exist.', type: 'invalid_request_error', code: 'model_not_found' } }, 404),
  ]
}
