/** The model of a page after layout, independent of the file format. Lengths are in inches on a
 *  page of 13.333 x 7.5; type sizes are in points. */
import type { Line, Run } from '../type/measure.ts'

export const pageWidth = 13.333
export const pageHeight = 7.5
export const pointsPerInch = 72

export interface Box {
  x: number
  y: number
  w: number
  h: number
}

/** A text already broken into lines, so that the writers of files need not measure it. */
export interface TextItem {
  kind: 'text'
  box: Box
  paragraphs: SetParagraph[]
  size: number
  /** Distance between lines, as a multiple of the type size. */
  leading: number
  /** Gap between paragraphs, points. */
  gap: number
  align: 'left' | 'center' | 'right'
  valign: 'top' | 'middle' | 'bottom'
  /** Colour as #rrggbb. */
  colour: string
  /** Height of all lines and gaps, in points; never more than the height of the box. */
  height: number
  /** True for the title of the page. */
  isTitle?: boolean
}

export interface SetParagraph {
  runs: Run[]
  lines: Line[]
  bullet?: { sign: string; colour: string; indent: number }
}

export interface ShapeItem {
  kind: 'shape'
  shape: 'rectangle' | 'rounded' | 'ellipse'
  box: Box
  /** Fill colour as #rrggbb. */
  fill: string
  /** Opacity, 0 to 1; absent: 1. */
  opacity?: number
  /** Radius of the corners of `rounded`, inches. */
  radius?: number
  line?: { colour: string; points: number }
}

/** A picture in the shape of its box. */
export interface PictureItem {
  kind: 'picture'
  box: Box
  /** JPEG or PNG with the aspect ratio of the box. */
  bytes: Buffer
  mediaType: 'image/jpeg' | 'image/png'
  alt: string
}

export interface ChartItem {
  kind: 'chart'
  box: Box
  chart: 'bar' | 'line' | 'pie'
  labels: string[]
  series: { name: string; values: number[] }[]
  unit: string
  /** Colour of each series, or of each part of a pie, as #rrggbb. */
  colours: string[]
  ink: string
  rule: string
  paper: string
  size: number
}

export interface TableItem {
  kind: 'table'
  box: Box
  /** Widths in inches. */
  columnWidths: number[]
  rowHeights: number[]
  /** Rows, the header row first; all cells use the type size `size`. */
  rows: SetCell[][]
  size: number
  leading: number
  /** Space to the left and right of a cell's text, in inches. */
  inset: number
  rule: string
}

export interface SetCell {
  text: TextItem
  /** Fill colour as #rrggbb. */
  fill: string
}

export type Item = TextItem | ShapeItem | PictureItem | ChartItem | TableItem

/** The kinds of backgrounds of a template. */
export type Ground = 'title' | 'section' | 'content' | 'closing'

export interface Page {
  ground: Ground
  items: Item[]
  /** Title of the page, as the outline of the PPTX shows it. */
  title: string
  notes: string
  /** Horizontal extent of the footer of a content page, in inches. */
  span?: { x: number; w: number }
  /** Index of the written slide that the page shows, from 0. */
  slide: number
}
