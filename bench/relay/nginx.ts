/** nginx in two parts: as a reference proxy (`proxy_pass`) to compare with, and as an upstream
 *  that is fast enough for every measured server. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonAnswer } from './answers.ts'

export interface NginxJob {
  folder: string
  port: number
}

/** Returns the command that starts nginx as an upstream. The upstream answers /stats with
 *  nginx's own counters, and every other request with the same JSON. */
export function nginxUpstream(job: NginxJob): string[] {
  return nginx(
    job,
    `server {
      listen 127.0.0.1:${job.port} backlog=8192;
      location = /stats { stub_status; }
      location / { default_type application/json; return 200 '${jsonAnswer()}'; }
    }`,
  )
}

/** Returns the command that starts the proxy. Requests to /json/ are passed to the JSON
 *  upstream, those to /sse/ to the streaming one without buffering. No access log is written. */
export function nginxProxy(job: NginxJob, upstreams: { jsonPort: number; ssePort: number }): string[] {
  const proxied = 'proxy_http_version 1.1; proxy_set_header Connection "";'
  return nginx(
    job,
    `upstream json { server 127.0.0.1:${upstreams.jsonPort}; keepalive 128; keepalive_requests 100000000; }
    upstream sse { server 127.0.0.1:${upstreams.ssePort}; keepalive 128; keepalive_requests 100000000; }
    server {
      listen 127.0.0.1:${job.port} backlog=8192;
      location /json/ { ${proxied} proxy_pass http://json/; }
      location /sse/ { ${proxied} proxy_buffering off; proxy_pass http://sse/; }
      location / { return 200 'ok'; }
    }`,
  )
}

function nginx({ folder, port }: NginxJob, servers: string): string[] {
  const prefix = join(folder, `nginx-${port}`)
  mkdirSync(prefix, { recursive: true })
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${prefix}/${name};`).join(' ')
  const config = `daemon off;
  worker_processes 1;
  ${process.getuid?.() === 0 ? 'user root;' : ''}
  pid ${prefix}/pid;
  error_log ${prefix}/error.log warn;
  events { worker_connections 16384; }
  http {
    access_log off;
    ${places}
    keepalive_requests 100000000;
    keepalive_timeout 300s;
    ${servers}
  }
  `
  const path = join(prefix, 'nginx.conf')
  writeFileSync(path, config)
  return ['nginx', '-p', prefix, '-e', `${prefix}/error.log`, '-c', path]
}
