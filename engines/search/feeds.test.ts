/** Reads feeds with the peculiarities of real publishers. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { feedText } from './encoding.ts'
import { readFeed } from './feeds.ts'
import { importCommand } from './import.ts'

const atom = (inner: string, attributes = 'xmlns="http://www.w3.org/2005/Atom"') =>
  `<?xml version="1.0"?><feed ${attributes}><title>T</title>${inner}</feed>`
const rss = (inner: string, channel = '<link>https://a.example/blog/</link>') =>
  `<rss version="2.0"><channel><title>T</title>${channel}${inner}</channel></rss>`
const item = (title: string, link = 'https://a.example/1') => rss(`<item><title>${title}</title><link>${link}</link></item>`)

/** Returns the title and the link of a feed's only item. */
function only(text: string, url?: string): [title: string, url: string] {
  const { items, left } = readFeed(text, url === undefined ? {} : { url })
  assert.equal(items.length, 1, `${JSON.stringify([...left])} ${text.slice(0, 300)}`)
  return [items[0]?.title ?? '', items[0]?.url ?? '']
}

test('titles are read with any markup and escapes', () => {
  const cases: [title: string, expected: string][] = [
    ['Caf&eacute; cr&egrave;me &nbsp; &amp; tea', 'Café crème & tea'],
    ['Caf&amp;eacute; &amp;mdash; &amp;Eacute;t&amp;eacute;', 'Café — Été'],
    ['&#233;t&#xE9; &#8217;&hellip;&Omega;&frac12;', 'été ’…Ω½'],
    ['&lt;![CDATA[Lettre ouverte]]&gt;', 'Lettre ouverte'],
    ['<![CDATA[<![CDATA[Twice]]]]><![CDATA[>]]>', 'Twice'],
    ['<![CDATA[Fish & <b>chips</b>]]>', 'Fish & chips'],
    ['&lt;b&gt;Bold&lt;/b&gt; and &amp;lt;i&amp;gt;', 'Bold and <i>'],
    ['Plain <b>markup</b> unescaped', 'Plain markup unescaped'],
    ['\n   Many\n   lines\t', 'Many lines'],
    ['1 &lt; 2', '1 < 2'],
    ['1 &lt; 2 and 3 &gt; 2', '1 < 2 and 3 > 2'],
    ['It&#146;s &#150; &#x80;5&#133;', 'It’s – €5…'],
    ['&Lstrok;&oacute;d&zacute; &ccaron;aj &SHcy;&acy;&period;', 'Łódź čaj Ша.'],
    ['<![CDATA[&lt;![CDATA[Escaped within]]&gt;]]>', 'Escaped within'],
    ['Known &unknown; kept', 'Known &unknown; kept'],
  ]
  for (const [title, expected] of cases) assert.equal(only(item(title))[0], expected, title)
})

test('nested and prefixed titles and texts of type xhtml are read', () => {
  const entry = (title: string) => atom(`<entry>${title}<link href="https://a.example/1"/></entry>`)
  const div = '<div xmlns="http://www.w3.org/1999/xhtml">Less: <em>mo<b>re</b></em> &lt; &amp; &eacute;</div>'
  assert.equal(only(entry(`<title type="xhtml">${div}</title>`))[0], 'Less: mo re < & é')
  const prefixed = '<x:div xmlns:x="http://www.w3.org/1999/xhtml">Less: <x:em>more</x:em></x:div>'
  assert.equal(only(entry(`<title type="xhtml">${prefixed}</title>`))[0], 'Less: more')
  assert.equal(only(entry('<title type="text">The &lt;br&gt; tag</title>'))[0], 'The <br> tag')
  const { items } = readFeed(
    atom(
      '<entry><title>T</title><link href="https://a.example/1"/><content type="xhtml"><div><p>One</p><p>Two</p></div></content></entry>',
    ),
  )
  assert.equal(items[0]?.text, 'One Two')
})

test('relative links are resolved against xml:base, the link of the channel, or the URL of the feed', () => {
  const entry = '<entry><title>R</title><link href="post"/></entry>'
  const named = 'xmlns="http://www.w3.org/2005/Atom"'
  assert.equal(only(atom(entry, `${named} xml:base="https://a.example/blog/"`))[1], 'https://a.example/blog/post')
  assert.equal(
    only(atom('<entry xml:base="sub/"><title>R</title><link href="post"/></entry>', `${named} xml:base="https://a.example/blog/"`))[1],
    'https://a.example/blog/sub/post',
  )
  assert.equal(only(atom(`<link href="https://a.example/home/"/>${entry}`))[1], 'https://a.example/home/post')
  assert.equal(only(atom(entry), 'https://a.example/feeds/all.xml')[1], 'https://a.example/feeds/post')
  assert.equal(only(item('R', '/post/3'))[1], 'https://a.example/post/3')
  assert.equal(only(item('R', 'post?a=1&amp;b=2'))[1], 'https://a.example/blog/post?a=1&b=2')
  assert.equal(only(item('R', '//b.example/x'))[1], 'https://b.example/x')
  assert.equal(only(item('R', '<![CDATA[https://a.example/1?a=1&amp;b=2]]>'))[1], 'https://a.example/1?a=1&b=2')
  const json = {
    version: 'https://jsonfeed.org/version/1.1',
    home_page_url: 'https://a.example/',
    items: [{ id: '1', url: 'x', title: 'J' }],
  }
  assert.equal(only(JSON.stringify(json))[1], 'https://a.example/x')
})

test('the link of an item is also read from other elements, and may contain spaces', () => {
  const entry = (inner: string) => only(atom(`<entry><title>E</title>${inner}</entry>`))[1]
  assert.equal(entry('<id>https://a.example/id</id>'), 'https://a.example/id')
  assert.equal(entry('<id>urn:1</id><content src="https://a.example/c"/>'), 'https://a.example/c')
  const registered = '<link rel="http://www.iana.org/assignments/relation/alternate" href="https://a.example/a"/>'
  assert.equal(entry(`<link rel="edit" href="https://a.example/e"/>${registered}`), 'https://a.example/a')
  const episode = rss('<item><title>E</title><enclosure url="https://a.example/e.mp3" type="audio/mpeg"/></item>')
  assert.equal(only(episode)[1], 'https://a.example/e.mp3')
  assert.equal(readFeed(episode).items[0]?.thumbnailUrl, undefined)
  assert.equal(only(rss('<item><title>E</title><link>https://a.example/a b</link></item>', ''))[1], 'https://a.example/a%20b')
  const self = '<atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://a.example/feed"/>'
  assert.equal(only(rss('<item><title>E</title><link>/1</link></item>', self))[1], 'https://a.example/1')
})

test('an item without a title gets its first words as title, and an unknown time zone is UTC', () => {
  const json = {
    version: 'https://jsonfeed.org/version/1.1',
    items: [{ id: '1', url: 'https://a.example/1', title: '', content_html: '<p>Hi <b>there</b></p>' }],
  }
  assert.deepEqual(only(JSON.stringify(json)), ['Hi there', 'https://a.example/1'])
  assert.equal(
    only(atom('<entry><title/><content type="html">&lt;p&gt;Hi&lt;/p&gt;</content><id>https://a.example/1</id></entry>'))[0],
    'Hi',
  )
  const dated = rss('<item><title>D</title><link>/1</link><pubDate>Tue, 10 Nov 2026 10:00:00 CEST</pubDate></item>')
  assert.equal(readFeed(dated).items[0]?.publishedAt, Date.parse('2026-11-10T10:00:00Z'))
})

test('a less-than sign in a text, names in capitals and an item or entry without a feed are read', () => {
  const titled = (title: string) => rss(`<item><title>${title}</title><link>https://a.example/1</link></item>`)
  for (const title of ['1 < 2 and 3 > 2', 'I <3 you', 'if a<b then', 'a <', 'a <- b', 'a </ b', 'a <! b', 'a <? b', 'a <!-- b'])
    assert.deepEqual(only(titled(title)), [title, 'https://a.example/1'])
  const addressed = rss(
    '<item><title>T</title><author>Ann <ann@example.org></author><category>a < b</category><link>https://a.example/1</link></item>',
  )
  assert.deepEqual(only(addressed), ['T', 'https://a.example/1'])
  const capitals = titled('T').replace(/<(\/?)(rss|channel|item|title|link)/g, (_, end, name) => `<${end}${name.toUpperCase()}`)
  assert.deepEqual(only(capitals), ['T', 'https://a.example/1'])
  const entry =
    '<?xml version="1.0"?><a:entry xmlns:a="http://www.w3.org/2005/Atom"><a:title>E</a:title><a:link href="https://a.example/e"/></a:entry>'
  assert.deepEqual(only(entry), ['E', 'https://a.example/e'])
  const item = '<item><title>I</title><link>https://a.example/i</link></item>'
  for (const feed of [item, `<channel><title>C</title>${item}</channel>`]) assert.deepEqual(only(feed), ['I', 'https://a.example/i'])
})

test('any namespace prefixes are read', () => {
  const prefixed = (p: string) =>
    `<?xml version="1.0"?><${p}:feed xmlns:${p}="http://www.w3.org/2005/Atom"><${p}:entry><${p}:title>P</${p}:title><${p}:link href="https://a.example/p"/></${p}:entry></${p}:feed>`
  for (const p of ['atom', 'a', 'ns0']) assert.deepEqual(only(prefixed(p)), ['P', 'https://a.example/p'])
  const rdf = (p: string, r: string) =>
    `<${r}:RDF xmlns:${r}="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:${p}="http://purl.org/rss/1.0/" xmlns:d="http://purl.org/dc/elements/1.1/" xmlns:c="http://purl.org/rss/1.0/modules/content/"><${p}:channel><${p}:link>https://a.example/</${p}:link></${p}:channel><${p}:item ${r}:about="https://a.example/1"><d:title>D</d:title><${p}:link>/1</${p}:link><d:date>2026-11-10</d:date><c:encoded><![CDATA[<p>Text</p>]]></c:encoded></${p}:item></${r}:RDF>`
  for (const [p, r] of [
    ['rss', 'rdf'],
    ['x', 'y'],
  ] as const) {
    const [first] = readFeed(rdf(p, r)).items
    assert.deepEqual(
      [first?.title, first?.url, first?.text, first?.publishedAt],
      ['D', 'https://a.example/1', 'Text', Date.parse('2026-11-10')],
    )
  }
  const beside = rss(
    '<item><title>I</title><atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://a.example/self"/><link>https://a.example/i</link></item>',
    '<atom:link href="https://a.example/feed" rel="self"/><link>https://a.example/</link>',
  ).replace('<rss ', '<rss xmlns:atom="http://www.w3.org/2005/Atom" ')
  assert.deepEqual(only(beside), ['I', 'https://a.example/i'])
  const dotNet = rss('<item><title>N</title><a10:link href="/n"/><a10:updated>2026-11-10T10:00:00Z</a10:updated></item>')
  const [ofDotNet] = readFeed(dotNet.replace('<rss ', '<rss xmlns:a10="http://www.w3.org/2005/Atom" ')).items
  assert.deepEqual([ofDotNet?.url, ofDotNet?.publishedAt], ['https://a.example/n', Date.parse('2026-11-10T10:00:00Z')])
  assert.deepEqual(only(`<!-- ${'x'.repeat(6000)} <rss > -->${prefixed('a')}`), ['P', 'https://a.example/p'])
  const unprefixed = `<RDF xmlns="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:r="http://purl.org/rss/1.0/"><r:item><r:title>U</r:title><r:link>https://a.example/u</r:link></r:item></RDF>`
  assert.deepEqual(only(unprefixed), ['U', 'https://a.example/u'])
})

test('a guid is used as the link only if it is one', () => {
  const guid = (attributes: string, id: string) => rss(`<item><title>G</title><guid${attributes}>${id}</guid></item>`)
  assert.equal(only(guid('', 'https://a.example/g'))[1], 'https://a.example/g')
  for (const text of [guid('', 'tag-17'), guid(' isPermaLink="false"', 'https://a.example/g')])
    assert.deepEqual([...readFeed(text).left], [['without a link', 1]])
})

test('many encodings, byte order marks and blanks before the XML declaration are read', () => {
  const text = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>${item('Été')}`
  const utf16 = Buffer.from(`\ufeff${text('UTF-16')}`, 'utf16le')
  const cases: [name: string, bytes: Buffer][] = [
    ['UTF-8', Buffer.from(text('UTF-8'))],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text('UTF-8')}`)],
    ['blanks', Buffer.from(`\n\n  ${text('UTF-8')}`)],
    ['ISO-8859-1', Buffer.from(text('ISO-8859-1'), 'latin1')],
    ['blanks in the declaration', Buffer.from(text('ISO-8859-1').replace('encoding=', 'encoding = '), 'latin1')],
    ['windows-1252', Buffer.from(text('windows-1252'), 'latin1')],
    ['UTF-16LE', utf16],
    ['UTF-16BE', Buffer.from(utf16).swap16()],
  ]
  for (const [name, bytes] of cases) assert.equal(only(feedText(bytes, ''))[0], 'Été', name)
})

test('the command prints how many items it left out and why', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'feeds-'))
  try {
    const said: string[] = []
    const run = async (name: string, content: string | Buffer) => {
      const file = join(folder, name)
      await writeFile(file, content)
      await importCommand.run([file, '--platform', 'plat_c'], { dataDirectory: join(folder, 'search'), print: line => said.push(line) })
      return said.at(-1)?.replace(`${file}: `, '')
    }
    const kept = '<item><title>A</title><link>https://a.example/1</link></item>'
    const lost = `${kept}<item><link>https://a.example/2</link></item><item><title>B</title></item><item><title>C</title><link>ftp://a.example/c</link></item>`
    assert.equal(
      await run('some.xml', rss(kept + lost)),
      '1 records, 4 items left out: 1 that repeat another, 1 without a title, 1 without a link, 1 with a link that is no http or https URL',
    )
    assert.equal(await run('all.xml', rss(kept)), '1 records')
    assert.equal(await run('none.xml', rss('<item><title>B</title></item>')), '0 records, 1 item left out: 1 without a link')
    assert.equal(await run('utf16.xml', Buffer.from(`\ufeff${rss(kept)}`, 'utf16le')), '1 records')
    const json = { title: 'T', items: [{ id: '1', title: 'J', url: 'https://a.example/j' }], version: 'https://jsonfeed.org/version/1.1' }
    for (const [index, indent] of [undefined, 2, '\t'].entries())
      assert.equal(await run(`${index}.json`, JSON.stringify(json, null, indent)), '1 records')
    const many = Array.from({ length: 1003 }, (_, n) => `<item><title>T${n}</title><link>https://a.example/${n}</link></item>`).join('')
    assert.equal(await run('many.xml', rss(many)), '1000 records, 3 items left out: 3 beyond the first 1000')
  } finally {
    await rm(folder, { recursive: true })
  }
})
