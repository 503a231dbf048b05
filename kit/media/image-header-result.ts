export type ImageType = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif' | 'image/bmp' | 'image/tiff' | 'image/heic' | 'image/avif'

export interface ImageHeader {
  mediaType: ImageType
  /** Pixels as stored, 1 to 1,000,000; orientations 5 to 8 show them swapped. */
  width: number
  height: number
  /** Exif orientation, 1 to 8; absent when the header has none. */
  orientation?: number
  /** True when the header says that there are several frames. */
  animated?: boolean
}

/** What a format's reader finds: a header, a need for the first `needBytes` bytes of the file, or nothing (not this format, or broken). */
export type HeaderResult = ImageHeader | { needBytes: number } | undefined
