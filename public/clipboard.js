/** @returns whether it was copied. Without https, or where a browser forbids it, a field to copy from is the old way. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const focused = document.activeElement;
    const field = document.createElement('textarea');
    field.value = text;
    field.readOnly = true;
    field.className = 'unseen';
    // As it is: lines of code begin with spaces.
    field.style.whiteSpace = 'pre';
    document.body.append(field);
    field.select();
    const copied = document.execCommand('copy');
    field.remove();
    focused?.focus();
    return copied;
  }
}
