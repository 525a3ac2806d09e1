// Forms with a file in them.

/** The fields of a form with a file, or undefined when the body is not one. */
export async function readUpload(contentType: string | undefined, body: Uint8Array): Promise<FormData | undefined> {
  if (!/^multipart\/form-data\s*;/i.test(contentType ?? '')) return undefined;
  // Such a form has three fields; reading thousands of them would take its time.
  const parts = Buffer.from(body)
    .toString('latin1')
    .split(/content-disposition:/i, 12);
  if (parts.length > 10) return undefined;
  try {
    return await new Response(Buffer.from(body), { headers: { 'Content-Type': contentType ?? '' } }).formData();
  } catch {
    return undefined;
  }
}
