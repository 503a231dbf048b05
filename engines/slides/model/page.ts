/** A page as it is laid out, whoever writes it: lengths in inches on a page of 13.333 x 7.5,
 *  sizes of type in points. */
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

/** Text set into lines: whoever draws it need not measure. */
export interface TextItem {
  kind: 'text'
  box: Box
  paragraphs: SetParagraph[]
  size: number
  /** Distance of lines, in sizes. */
  leading: number
  /** Between paragraphs, points. */
  gap: number
  align: 'left' | 'center' | 'right'
  valign: 'top' | 'middle' | 'bottom'
  /** #rrggbb. */
  colour: string
  /** Of all lines and gaps, points: never more than the box has. */
  height: number
  /** The one that names the page. */
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
  /** #rrggbb. */
  fill: string
  /** 0 to 1; absent: 1. */
  opacity?: number
  /** Inches, of `rounded`. */
  radius?: number
  line?: { colour: string; points: number }
}

/** A picture cut to its box, from its middle. */
export interface PictureItem {
  kind: 'picture'
  box: Box
  /** JPEG or PNG as wide and high as the box. */
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
  /** #rrggbb of each series, or of each part of a pie. */
  colours: string[]
  ink: string
  rule: string
  paper: string
  size: number
}

export interface TableItem {
  kind: 'table'
  box: Box
  /** Inches. */
  columnWidths: number[]
  rowHeights: number[]
  /** The head first; all cells are set at `size`. */
  rows: SetCell[][]
  size: number
  leading: number
  /** Inside of a cell, inches. */
  inset: number
  rule: string
}

export interface SetCell {
  text: TextItem
  /** #rrggbb. */
  fill: string
}

export type Item = TextItem | ShapeItem | PictureItem | ChartItem | TableItem

/** Which of a template's grounds a page stands on. */
export type Ground = 'title' | 'section' | 'content' | 'closing'

export interface Page {
  ground: Ground
  items: Item[]
  /** For the outline of the file. */
  title: string
  notes: string
  /** Where the foot of a page of content stands, inches. */
  span?: { x: number; w: number }
  /** Which of the written slides it shows, from 0. */
  slide: number
}
