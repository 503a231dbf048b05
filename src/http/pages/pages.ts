import type { DriverSpec } from '@generation-gateway/kit/driver.ts'
import { errorCatalogue } from '@generation-gateway/kit/errors.ts'
import { limitsOf } from '../../contract/description/limits.ts'
import type { Family, FamilyEntry } from '../../contract/family.ts'
import { builtInModels } from '../../contract/model.ts'
import type { Operation } from '../../contract/operation.ts'
import { escapeHtml as e, pageOf } from './page.ts'

/** Returns the page at `/`. It shows the running version, the families and links. `base` is the
 *  gateway's public URL, without a trailing slash. */
export function homePage({ base, version, families }: { base: string; version: string; families: readonly FamilyEntry[] }): string {
  const root = e(rootOf(base))
  const rows = families.map(
    ({ family }) =>
      `<tr><td><a href="${root}/docs#${e(family.id)}">${e(family.id)}</a></td><td>${e(family.title)}</td><td>${Object.keys(family.operations).length}</td></tr>`,
  )
  const shown = families.filter(({ family }) => family.isShownFirst)
  return pageOf(
    'Generation gateway',
    `<header><h1>Generation gateway</h1><p>Version ${e(version)} is running. One HTTP interface to every kind of generative model.</p></header>
<nav class="cards">
<a href="${root}/docs"><b>Reference</b><span>Operations, fields, limits, errors</span></a>
<a href="${root}/openapi.json"><b>OpenAPI 3.1</b><span>For generators and clients</span></a>
<a href="${root}/readyz"><b>Readiness</b><span>Engines and store</span></a>
<a href="${root}/metrics"><b>Metrics</b><span>Prometheus text</span></a>
</nav>
<h2>Families served</h2><table><thead><tr><th>Family</th><th>What</th><th>Operations</th></tr></thead><tbody>${rows.join('')}</tbody></table>
<h2>Try it</h2>${shown.map(({ family }) => curlOf(base, family)).join('')}`,
  )
}

/** Returns the path in a public URL, without a trailing slash. Links between the pages begin
 *  with this path. */
export function rootOf(base: string): string {
  return URL.parse(base)?.pathname.replace(/\/$/, '') ?? ''
}

/** Returns the reference at `/docs`, created from the declarations of the families. The page
 *  loads nothing from the network. `base` is the gateway's public URL and `root` the path in
 *  that URL; both are already escaped for HTML. */
export function docsPage(
  families: readonly FamilyEntry[],
  engines: readonly DriverSpec[],
  { base, root }: { base: string; root: string },
): string {
  const contents = families.map(({ family }) => `<li><a href="#${e(family.id)}">${e(family.id)} ${e(family.title)}</a></li>`).join('')
  return pageOf(
    'Reference · Generation gateway',
    `<header><h1>Reference</h1><p>The paths below stand behind <code>${base}</code>. Every call needs an access key: <code>Authorization: Bearer &lt;access key&gt;</code>. Fields, rules and paths marked
<em class="ours">ours</em> are decisions of this gateway where the interface leaves something open. The same facts as <a href="${root}/openapi.json">OpenAPI 3.1</a>.</p></header>
<ul class="contents">${contents}<li><a href="#errors">Errors</a></li></ul>
${families.map(({ family }) => familySection(family, engines)).join('')}
${errorsSection()}`,
  )
}

function familySection(family: Family, engines: readonly DriverSpec[]): string {
  const builtIn = builtInModels(family, engines)
  const hasGroups = builtIn.some(model => model.group !== undefined)
  const models = builtIn
    .map(
      model =>
        `<tr><td><code>${e(model.id)}</code></td>${hasGroups ? `<td>${e(model.group ?? '')}</td>` : ''}<td>${e(model.title)}</td></tr>`,
    )
    .join('')
  const operations = Object.values(family.operations).map(operationSection).join('')
  return `<section id="${e(family.id)}"><h2>${e(family.id)} · ${e(family.title)}</h2><p>${prose(family.description)} <small>${e(family.source)}</small></p>
${models === '' ? '' : `<table><thead><tr><th>Model</th>${hasGroups ? '<th>Group</th>' : ''}<th>What</th></tr></thead><tbody>${models}</tbody></table>`}${operations}</section>`
}

function operationSection(operation: Operation): string {
  const rules = (operation.rules ?? []).map(
    rule =>
      `<li><code>${e(rule.id)}</code>: ${rule.groups ? `${e(rule.groups.join(', '))}: ` : ''}${prose(rule.says)}${rule.source === 'ours' ? ' <em class="ours">ours</em>' : ''}</li>`,
  )
  const extensions = operation.readsTask
    ? `<p><em class="ours">ours</em> <code>GET ${e(operation.path)}/events</code>: the task's history as server-sent events, resumed by <code>Last-Event-ID</code>. <code>DELETE ${e(operation.path)}</code>: cancels the task.</p>`
    : ''
  return `<article><h3><span class="method">${operation.method}</span> <code>${e(operation.path)}</code></h3>${aliasesOf(operation)}<p>${e(operation.summary)} (<code>${e(operation.operationId)}</code>). ${prose(operation.description ?? '')}</p>
${operation.reply.stream === undefined ? '' : `<p>Streamed: ${prose(operation.reply.stream.says)}</p>`}${fieldsTable(operation)}
${rules.length > 0 ? `<h4>Rules</h4><ul>${rules.join('')}</ul>` : ''}${extensions}${operation.examples.map(exampleOf).join('')}</article>`
}

function aliasesOf({ aliases = [], vendorPaths = [] }: Operation): string {
  const listed = (paths: readonly string[]) => paths.map(path => `<code>${e(path)}</code>`).join(', ')
  return [
    aliases.length === 0 ? '' : `<p>Also ${listed(aliases)}.</p>`,
    vendorPaths.length === 0 ? '' : `<p>For the vendor’s own clients: ${listed(vendorPaths)}.</p>`,
  ].join('')
}

/** Returns the table of an operation's fields. A column shows which groups of models take each
 *  field. The column is left out when it would be the same for every field. */
function fieldsTable(operation: Operation): string {
  const limits = limitsOf(operation)
  if (limits.length === 0) return ''
  const hasGroups = limits.some(row => row.usedBy !== limits[0]?.usedBy)
  const rows = limits.map(
    row =>
      `<tr><td><code>${e(row.field)}</code>${row.source === 'ours' ? ' <em class="ours">ours</em>' : ''}</td><td>${e(row.type)}</td><td>${prose(row.says)}</td><td>${e(row.limits)}</td><td>${row.default === undefined ? '' : `<code>${e(row.default)}</code>`}</td>${hasGroups ? `<td>${e(row.usedBy)}</td>` : ''}</tr>`,
  )
  return `<table class="fields"><thead><tr><th>Field</th><th>Type</th><th>What</th><th>Limits</th><th>Default</th>${hasGroups ? '<th>Used by</th>' : ''}</tr></thead><tbody>${rows.join('')}</tbody></table>`
}

/** Returns a text as HTML; words between backticks become code. */
function prose(text: string): string {
  return e(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

function exampleOf(example: Operation['examples'][number]): string {
  const sent = example.body
    ? `<pre>${e(JSON.stringify(example.body, null, 2))}</pre>`
    : example.query
      ? `<pre>?${e(new URLSearchParams(example.query).toString())}</pre>`
      : ''
  const needs = example.needs === undefined ? '' : `<p>Needs ${prose(example.needs)}</p>`
  const answered = example.reply ? `<pre>${e(JSON.stringify(example.reply, null, 2))}</pre>` : ''
  return `<details><summary>${e(example.title)}</summary>${needs}${sent}${answered}</details>`
}

function errorsSection(): string {
  const rows = Object.entries(errorCatalogue).map(
    ([code, { status, type, says }]) => `<tr><td><code>${code}</code></td><td>${status}</td><td>${type}</td><td>${e(says)}</td></tr>`,
  )
  return `<section id="errors"><h2>Errors</h2><p>Every error body carries <code>error.code</code>, <code>error.message</code> (with the field, its value and its limit), <code>error.param</code> and <code>error.request_id</code>; a family may add its own form. 429 and 503 carry <code>Retry-After</code>.</p>
<table><thead><tr><th>Code</th><th>Status</th><th>Type</th><th>When</th></tr></thead><tbody>${rows.join('')}</tbody></table></section>`
}

function curlOf(base: string, family: Family): string {
  const operation = Object.values(family.operations).find(candidate => candidate.choosesModel)
  const body = operation?.examples[0]?.body
  if (!operation || !body) return ''
  return `<pre>curl ${e(base + operation.path.replace('{endpoint}', 'default'))} \\
  -H "Authorization: Bearer $GATEWAY_ACCESS_KEY" -H "Content-Type: application/json" \\
  -d '${e(JSON.stringify(body))}'</pre>`
}
