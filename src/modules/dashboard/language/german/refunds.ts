/** Money on its way back to buyers. */
export const refunds = {
  'To be sent': 'Noch zu senden',
  'Sent, in no block yet': 'Gesendet, noch in keinem Block',
  'In a block, not final yet': 'In einem Block, noch nicht endgültig',
  Final: 'Endgültig',
  Withdrawn: 'Zurückgezogen',
  'Left the chain after it was final': 'Von der Blockchain verschwunden, nachdem sie endgültig war',
  'Not found, not looked for any more': 'Nicht gefunden, wird nicht mehr gesucht',

  'No money has been sent back so far. A refund begins on the page of its payment, or in the review queue.':
    'Bisher wurde kein Geld zurückgesendet. Eine Rückzahlung beginnt auf der Seite ihrer Zahlung oder beim Prüfen.',
  To: 'An',

  'There is no final money that could be sent back. What is not final yet can still be undone, and what is on its way back is on the <refunds>list of refunds</refunds>.':
    'Es gibt kein endgültiges Geld, das zurückgesendet werden könnte. Was noch nicht endgültig ist, kann noch rückgängig gemacht werden, und was auf dem Rückweg ist, steht in der <refunds>Liste der Rückzahlungen</refunds>.',
  'On {network} to {address}': 'Auf {network} an {address}',
  'What you send': 'Was Sie senden',
  'Deciding where money goes needs a fresh proof. <prove>Prove that it is you</prove> first.':
    'Wer entscheidet, wohin Geld geht, muss sich frisch ausweisen. <prove>Weisen Sie sich aus</prove>, bevor Sie weitergehen.',
  'You send it with your own wallet on the next page. Until then nothing moves. At most {most}.':
    'Sie senden es auf der nächsten Seite mit Ihrer eigenen Wallet. Bis dahin bewegt sich nichts. Höchstens {most}.',
  Asset: 'Währung',
  'Amount in this asset': 'Betrag in dieser Währung',
  'To this address': 'An diese Adresse',
  Continue: 'Weiter',

  'What goes back of <payment>this payment</payment>, and where to.':
    'Was von <payment>dieser Zahlung</payment> zurückgeht, und wohin.',
  'It is still to be sent. Nothing moves before you send it with your wallet.':
    'Sie ist noch zu senden. Nichts bewegt sich, bevor Sie mit Ihrer Wallet senden.',
  'It was sent, and no block holds it yet. It is looked for by itself.':
    'Sie ist gesendet, und noch enthält kein Block sie. Sie wird von selbst gesucht.',
  'A block holds it, and it is not final yet. Nothing is to be done.':
    'Ein Block enthält sie, und sie ist noch nicht endgültig. Es ist nichts zu tun.',
  'It was sent and is final. Nothing is to be done.': 'Sie ist gesendet und endgültig. Es ist nichts zu tun.',
  'It was withdrawn. Its money waits for a decision again.':
    'Sie ist zurückgezogen. Das Geld wartet wieder auf einen Entscheid.',
  'It has left the chain after it was final, and is looked for again.':
    'Sie hat die Blockchain verlassen, nachdem sie endgültig war, und wird wieder gesucht.',
  'It was not found, and is not looked for any more. Its money is still kept.':
    'Sie wurde nicht gefunden und wird nicht mehr gesucht. Das Geld dafür bleibt zurückgelegt.',
  'Refund of {amount}': 'Rückzahlung von {amount}',
  'What goes back': 'Was zurückgeht',
  Transaction: 'Transaktion',
  'block {height}': 'Block {height}',
  'Decided by': 'Entschieden von',
  'Opened to pay it': 'Zum Bezahlen geöffnet',
  'by you, {time}': 'von Ihnen, {time}',
  'by {actor}, {time}': 'von {actor}, {time}',
  'Its block has left the chain after it was final ({time}). It stays in the books, and is looked for again. Look the transaction up in your wallet before you send anything once more.':
    'Der Block mit dieser Rückzahlung verschwand von der Blockchain, nachdem er endgültig war ({time}). Die Rückzahlung bleibt in den Büchern und wird wieder gesucht. Sehen Sie in Ihrer Wallet nach der Transaktion, bevor Sie etwas noch einmal senden.',
  'Another transaction pays the same, though it was withdrawn: {txid}. It is in no book.':
    'Eine andere Transaktion bezahlt dasselbe, obwohl die Rückzahlung zurückgezogen wurde: {txid}. Sie ist in keinem Buch.',
  'Another transaction pays the same once more: {txid}. It is in no book.':
    'Eine andere Transaktion bezahlt dasselbe noch einmal: {txid}. Sie ist in keinem Buch.',
  'Transaction {txid} pays the same and counts for another refund. A transaction pays one.':
    'Die Transaktion {txid} bezahlt dasselbe und zählt für eine andere Rückzahlung. Eine Transaktion bezahlt nur eine.',
  'It was looked for in vain, and is not looked for any more since {time}. Its money is still kept.':
    'Die Rückzahlung wurde vergeblich gesucht und wird seit {time} nicht mehr gesucht. Das Geld dafür bleibt reserviert.',
  'Look for another 30 days': 'Weitere 30 Tage suchen',
  'No block holds a transaction with this id that pays exactly this amount to this address. If you have sped it up, what replaces it is looked for too; if it takes long, look it up in your wallet.':
    'Kein Block enthält eine Transaktion mit dieser ID, die genau diesen Betrag an diese Adresse bezahlt. Haben Sie sie beschleunigt, wird auch gesucht, was sie ersetzt. Dauert es lange, sehen Sie in Ihrer Wallet nach.',
  'Compare the address with what the buyer told you by another way. What is sent cannot be called back.':
    'Vergleichen Sie die Adresse mit dem, was Ihnen der Käufer auf anderem Weg gesagt hat. Was gesendet ist, lässt sich nicht zurückholen.',
  'Pay it with your wallet': 'Mit Ihrer Wallet bezahlen',
  '{actor} has opened it before you and may have sent it already. Ask first: what is sent twice cannot be called back.':
    '{actor} hat diese Rückzahlung vor Ihnen geöffnet und das Geld vielleicht schon gesendet. Fragen Sie zuerst: Was zweimal gesendet ist, lässt sich nicht zurückholen.',
  'Others will see that you have opened it, so that nobody sends it twice.':
    'Andere sehen, dass Sie die Rückzahlung geöffnet haben, damit niemand zweimal sendet.',
  'I have asked: let me pay it': 'Ich habe gefragt: jetzt bezahlen',
  'Pay it': 'Bezahlen',
  'With a wallet in this browser': 'Mit einer Wallet in diesem Browser',
  'It shows you the same amount and address, and asks you to confirm.':
    'Sie zeigt Ihnen denselben Betrag und dieselbe Adresse und bittet Sie um Bestätigung.',
  'No wallet has answered in this browser. MetaMask, Rabby and most others do, as extensions.':
    'In diesem Browser hat keine Wallet geantwortet. MetaMask, Rabby und die meisten anderen tun das als Erweiterungen.',
  'With a wallet on a phone': 'Mit einer Wallet auf dem Telefon',
  'Scan the code, or open it on this device. Check amount and address before you confirm.':
    'Scannen Sie den Code, oder öffnen Sie ihn auf diesem Gerät. Prüfen Sie Betrag und Adresse, bevor Sie bestätigen.',
  'QR code that opens a wallet with the amount and the address':
    'QR-Code, der eine Wallet mit Betrag und Adresse öffnet',
  'Open a wallet on this device': 'Eine Wallet auf diesem Gerät öffnen',
  'It was another transaction': 'Es war eine andere Transaktion',
  'I have sent it': 'Ich habe gesendet',
  'Sent from the address of your wallet here, or from one that you called your own, it is found by itself. From any other, name the transaction.':
    'Senden Sie von der Adresse Ihrer Wallet hier oder von einer, die Sie als Ihre eigene angegeben haben, wird die Rückzahlung von selbst gefunden. Senden Sie von einer anderen, nennen Sie die Transaktion.',
  'A Safe, or any other contract, sends {asset} inside a transaction, where it is not searched: name that one too.':
    'Ein Safe oder ein anderer Smart Contract sendet {asset} innerhalb einer Transaktion, wo nicht gesucht wird: Nennen Sie auch diese.',
  'Its id': 'ID der Transaktion',
  'Look for it': 'Suchen',
  'Withdraw this refund': 'Diese Rückzahlung zurückziehen',
  'Only if your wallet says that the transaction failed: what was sent is gone, and nobody here would look for it any more.':
    'Nur wenn Ihre Wallet sagt, dass die Transaktion fehlgeschlagen ist: Was gesendet ist, ist weg, und niemand hier würde noch danach suchen.',
  'The chain is looked at first. Its money waits for a decision again.':
    'Zuerst wird auf der Blockchain nachgesehen. Das Geld wartet dann wieder auf einen Entscheid.',
  'My wallet says that nothing was sent, or that it failed':
    'Meine Wallet sagt, dass nichts gesendet wurde oder dass es fehlschlug',
  'Withdraw it': 'Zurückziehen',

  'You refused in your wallet. Nothing was sent.':
    'Sie haben in Ihrer Wallet abgelehnt. Es wurde nichts gesendet.',
  'Your wallet does not know this network. Add it there first. Nothing was sent.':
    'Ihre Wallet kennt dieses Netzwerk nicht. Fügen Sie es dort zuerst hinzu. Es wurde nichts gesendet.',
  'The wallet is on another network. Nothing was sent.':
    'Die Wallet ist auf einem anderen Netzwerk. Es wurde nichts gesendet.',
  'The wallet did not do it.': 'Die Wallet hat es nicht getan.',
  'Your wallet asks you now.': 'Ihre Wallet fragt Sie jetzt.',
  'Send with {wallet}': 'Mit {wallet} senden',
  'Sent from this browser: {txid}. Press “Look for it”.':
    'Von diesem Browser gesendet: {txid}. Drücken Sie «Suchen».',
  'Sent: {txid}': 'Gesendet: {txid}',
  'The state could not be looked up. Nothing was sent.':
    'Der Stand konnte nicht abgefragt werden. Es wurde nichts gesendet.',

  'Nothing is sent yet: send it with your wallet.':
    'Noch ist nichts gesendet: Senden Sie es mit Ihrer Wallet.',
  'It is yours to pay: others see that you have opened it.':
    'Sie bezahlen diese Rückzahlung: Andere sehen, dass Sie sie geöffnet haben.',
  'It is looked for again.': 'Die Rückzahlung wird wieder gesucht.',
  'Noted. It is looked for on the chain.': 'Notiert. Die Transaktion wird auf der Blockchain gesucht.',
  'Withdrawn. Its money waits for a decision again.':
    'Zurückgezogen. Das Geld wartet wieder auf einen Entscheid.',
} as const;
