/** Money that waits for a decision. */
export const review = {
  accept: 'Annahme',
  dismiss: 'Ablage',
  refund: 'Rückzahlung',
  'Review queue': 'Zu prüfende Zahlungen',
  'Nothing waits for you. Money that comes too little, too late or to the wrong place shows up here, and nothing of it is ever dropped.':
    'Nichts wartet auf Sie. Kommt zu wenig Geld, kommt es zu spät oder an den falschen Ort, steht es hier, und nichts davon geht je verloren.',
  Asked: 'Verlangt',
  Money: 'Geld',
  'Waiting since': 'Eingang',
  'refund asked': 'Rückzahlung verlangt',
  'several assets': 'mehrere Währungen',
  awaited: 'noch nicht endgültig',
  'Refunds that were sent, or are on their way': 'Rückzahlungen, gesendet oder unterwegs',

  'Already decided': 'Schon entschieden',
  'Already decided by {actor}, {time}.': 'Schon entschieden von {actor}, {time}.',
  'Already decided by {actor}.': 'Schon entschieden von {actor}.',
  'This payment is not in the review queue.': 'Diese Zahlung ist nicht zu prüfen.',
  '<payment>See the payment</payment> or <queue>go back to the queue</queue>.':
    '<payment>Zahlung ansehen</payment> oder <queue>zurück zur Liste</queue>.',

  '{received} arrived.': '{received} sind eingetroffen.',
  '{received} of {quoted} arrived.': '{received} von {quoted} sind eingetroffen.',
  '{received} of {quoted} arrived: {missing} are missing, {gap} at the quoted rate.':
    '{received} von {quoted} sind eingetroffen: Es fehlen {missing}, das sind {gap} zum angebotenen Kurs.',
  '{received} of {quoted} arrived: {missing} are missing, {gap} at the quoted rate and {today} today.':
    '{received} von {quoted} sind eingetroffen: Es fehlen {missing}, das sind {gap} zum angebotenen Kurs und {today} heute.',
  'The whole payment': 'Die ganze Zahlung',
  'Asked for': 'Verlangt',
  Quoted: 'Angeboten',
  'Window ended': 'Zeit zum Bezahlen endete',
  'Window would have ended': 'Zeit zum Bezahlen hätte geendet',
  Arrived: 'Eingetroffen',
  Missing: 'Es fehlen',
  '{gap} at the quoted rate': '{gap} zum angebotenen Kurs',
  '{gap} at the quoted rate, {today} today': '{gap} zum angebotenen Kurs, {today} heute',
  'In time': 'Rechtzeitig',
  '{time} late': '{time} zu spät',
  'What the buyer asked for': 'Was der Käufer verlangt',
  '<strong>Unverified.</strong> Anybody with the payment’s link could have typed this. Ask the buyer by another way before you send money there.':
    '<strong>Ungeprüft.</strong> Jeder mit dem Link der Zahlung könnte das eingegeben haben. Fragen Sie den Käufer auf anderem Weg, bevor Sie Geld dorthin senden.',
  'Refund on {network} to {address}': 'Rückzahlung auf {network} an {address}',
  'Decided before': 'Früher entschieden',

  Accept: 'Annehmen',
  'Accepting settles the payment. <prove>Prove that it is you</prove> first.':
    'Mit der Annahme ist die Zahlung abgeschlossen. <prove>Weisen Sie sich aus</prove>, bevor Sie das tun.',
  'The payment becomes settled with what arrived. Your server hears of it like of any other.':
    'Die Zahlung wird mit dem abgeschlossen, was eingetroffen ist. Ihr Server erfährt davon wie von jeder anderen.',
  'Not final yet': 'Noch nicht endgültig',
  '{pending} more came and could still be undone. Accepting settles only what is final; what becomes final later counts as too much.':
    '{pending} mehr sind eingetroffen und könnten noch rückgängig gemacht werden. Angenommen wird nur, was endgültig ist; was später endgültig wird, gilt als zu viel.',
  'A payment that is {status} cannot be accepted. Dismiss it, or record a refund.':
    'Diese Zahlung ({status}) kann nicht angenommen werden. Legen Sie sie ab, oder vermerken Sie eine Rückzahlung.',
  'Nothing of the quoted asset arrived, so there is nothing to settle with.':
    'Von der angebotenen Währung ist nichts eingetroffen, also gibt es nichts, womit sich abschliessen liesse.',
  'The money could still be undone. It can be accepted once it is final.':
    'Das Geld könnte noch rückgängig gemacht werden. Es kann angenommen werden, sobald es endgültig ist.',
  'Accept {amount}': '{amount} annehmen',
  'Accept {amount}, {short} short': '{amount} annehmen, {short} fehlen',
  Dismiss: 'Ablegen',
  'The entry is closed, the status stays, and the money stays in your wallet and in your books.':
    'Der Fall ist erledigt, der Status bleibt, und das Geld bleibt in Ihrer Wallet und in Ihren Büchern.',
  'Dismiss and settle nothing': 'Ablegen, ohne abzuschliessen',
  Refund: 'Rückzahlung',
  'Send it with your wallet and have it followed on the chain until it is final.':
    'Senden Sie mit Ihrer Wallet, und lassen Sie es auf der Blockchain verfolgen, bis es endgültig ist.',
  'Record a refund made in another way': 'Eine anders gemachte Rückzahlung vermerken',
  'Recording what was sent back needs a fresh proof. <prove>Prove that it is you</prove> first.':
    'Wer vermerkt, was zurückgesendet wurde, muss sich frisch ausweisen. <prove>Weisen Sie sich aus</prove>, bevor Sie weitergehen.',
  'Made by an exchange or a bank, or before you came here: nobody looks whether it arrives. At most {most}.':
    'Über eine Börse oder eine Bank gemacht, oder bevor Sie hierherkamen: Niemand schaut, ob sie ankommt. Höchstens {most}.',
  'Sent back': 'Zurückgesendet',
  Choose: 'Wählen',
  'Amount in {unit}': 'Betrag in {unit}',
  'Amount in the asset chosen above': 'Betrag in der oben gewählten Währung',
  'Its transaction': 'Transaktion dazu',
  'Record the refund': 'Rückzahlung vermerken',
  'Nothing is final yet. What could still be undone is not to be sent back.':
    'Noch ist nichts endgültig. Was noch rückgängig gemacht werden könnte, soll nicht zurückgesendet werden.',

  'Accepted: the payment is settled.': 'Angenommen: Die Zahlung ist abgeschlossen.',
  'Dismissed. New money would bring it back.': 'Abgelegt. Neues Geld brächte sie wieder hierher.',
  'The refund is recorded.': 'Die Rückzahlung ist vermerkt.',
} as const;
