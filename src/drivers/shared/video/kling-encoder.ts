/** How a body writes the files and long numbers of a request. */
export interface BodyEncoder<Input> {
  base64(input: Input): string
  integer(digits: string): string
  /** The vendor's id of a video that it made. Throws a `RefusedError` for any other video. */
  videoId(input: Input): string
}
