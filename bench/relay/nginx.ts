/** nginx as the reference proxy (`proxy_pass`), and as an upstream that can saturate a server. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonAnswer } from './answers.ts'

export interface NginxJob {
  folder: string
  port: number
}

/** Returns the command for an upstream that answers every POST with the fixed JSON, and GET /stats
 *  with nginx's own counts. */
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

/** Returns the command for the proxy: /json/ goes to one upstream, /sse/ to the other without
 *  buffering. The access log is off. */
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
