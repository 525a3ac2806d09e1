// What the readers of the image formats share: the size limits, and how a reader answers.

/** Size limits besides the bytes: a few bytes can declare an image that fills a browser's memory. */
export const pictureLimits = { bytes: 512 * 1024, pixels: 4096 * 4096, side: 8192 };

export type ImageProblem = 'not_a_picture' | 'too_large' | 'too_many_pixels';

/** The parts of the file that are kept, in order, or why the file is refused. */
export type KeptParts = Buffer[] | ImageProblem;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A height of 0 is refused too: in a JPEG it means that the height comes later, so nothing would bound it. */
export function sizeProblem({ width, height }: Size): ImageProblem | undefined {
  const { side, pixels } = pictureLimits;
  const fits = width > 0 && height > 0 && width <= side && height <= side && width * height <= pixels;
  return fits ? undefined : 'too_many_pixels';
}
