export type ImageType = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif' | 'image/bmp' | 'image/tiff' | 'image/heic' | 'image/avif'

export interface ImageHeader {
  mediaType: ImageType
  /** Width in pixels as stored, 1 to 1,000,000. Viewers swap width and height for orientations 5 to
   *  8. */
  width: number
  height: number
  /** Exif orientation, 1 to 8; absent when the header has none. */
  orientation?: number
  /** True when the header declares several frames. */
  animated?: boolean
}

/** The result of a format's reader: a header, a request for the first `needBytes` bytes of the
 *  file, or undefined when the file has another format or is broken. */
export type HeaderResult = ImageHeader | { needBytes: number } | undefined
