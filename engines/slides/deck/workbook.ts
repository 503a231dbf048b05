/** Corrects the Excel workbook inside a chart of a PPTX. A presentation program opens this workbook
 *  when the user edits the chart's numbers. */
import { unzip, zip } from './zip.ts'

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
/** Parts of the workbook that define Excel tables. These parts are removed, because the range that
 *  the library writes for a table is wrong, and because Excel requires the column names of a table
 *  to equal its header cells. */
const tables = /^xl\/(?:tables\/|worksheets\/_rels\/)/

/** Returns the library's workbook with a new sheet that has the chart's values where the chart's
 *  formulas expect them: labels in the first column, one series in each further column. `chart` is
 *  the XML of the chart. Zeros are included; texts stay texts, even if they look like formulas. */
export function mendWorkbook(workbook: Buffer, chart: string): Buffer {
  const parts = unzip(workbook)
  const { sheet, strings } = sheetOf(chart)
  for (const name of [...parts.keys()]) if (tables.test(name)) parts.delete(name)
  parts.set('xl/worksheets/sheet1.xml', Buffer.from(sheet))
  parts.set('xl/sharedStrings.xml', Buffer.from(strings))
  const types = parts.get('[Content_Types].xml')?.toString('utf8') ?? ''
  const kept = types.replace(/<Override PartName="\/xl\/tables\/[^>]*\/>/g, '')
  parts.set('[Content_Types].xml', Buffer.from(kept))
  return zip(parts)
}

function sheetOf(chart: string): { sheet: string; strings: string } {
  const series = [...chart.matchAll(/<c:ser>.*?<\/c:ser>/gs)].map(([ser]) => ({
    name: cached(ser, 'tx')[0] ?? '',
    labels: cached(ser, 'cat'),
    values: cached(ser, 'val'),
  }))
  const texts: string[] = []
  const text = (value: string, place: string) => `<c r="${place}" t="s"><v>${texts.push(value) - 1}</v></c>`
  const rows = [
    ['', ...series.map(({ name }) => name)].map((name, k) => text(name, `${columnName(k)}1`)),
    ...(series[0]?.labels ?? []).map((label, r) => [
      text(label, `A${r + 2}`),
      ...series.map(({ values }, k) => `<c r="${columnName(k + 1)}${r + 2}"><v>${values[r] ?? 0}</v></c>`),
    ]),
  ].map((cells, r) => `<row r="${r + 1}">${cells.join('')}</row>`)
  const items = texts.map(value => `<si><t xml:space="preserve">${value}</t></si>`)
  const counts = `count="${texts.length}" uniqueCount="${texts.length}"`
  return {
    sheet: `${head}<worksheet xmlns="${main}"><sheetData>${rows.join('')}</sheetData></worksheet>`,
    strings: `${head}<sst xmlns="${main}" ${counts}>${items.join('')}</sst>`,
  }
}

/** Returns the cached values of a chart series in order, XML-escaped as in the file. */
function cached(series: string, member: 'tx' | 'cat' | 'val'): string[] {
  const [cache = ''] = new RegExp(`<c:${member}>.*?</c:${member}>`, 's').exec(series) ?? []
  return [...cache.matchAll(/<c:v>(.*?)<\/c:v>/gs)].map(([, value = '']) => value)
}

/** Returns the letter of one of the first 26 columns; a chart has at most seven columns. */
function columnName(column: number): string {
  return String.fromCharCode(65 + column)
}
