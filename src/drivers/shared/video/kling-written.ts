/** How a body has the files and long numbers of a request. */
export interface Written<Input> {
  base64(input: Input): string
  integer(digits: string): string
  /** The vendor's id of a video that it has made. Throws a `RefusedError` for one that it has not. */
  videoId(input: Input): string
}
