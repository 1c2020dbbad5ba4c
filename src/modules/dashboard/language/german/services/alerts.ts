/** Alerts to merchants, as services raise them, and what is refused about them. */
export const alertsServices = {
  'A note has at most {most} characters.': 'Eine Notiz hat höchstens {most} Zeichen.',

  'A payment of {amount} waits for your decision': 'Eine Zahlung über {amount} wartet auf Ihren Entscheid',
  'It was paid in time, but we saw the money only after the payment had expired.':
    'Sie wurde rechtzeitig bezahlt, aber wir sahen das Geld erst, als die Zahlung abgelaufen war.',
  'Less arrived than was asked for, and the payment has expired.':
    'Es kam weniger an als verlangt, und die Zahlung ist abgelaufen.',
  'The whole amount arrived after the payment had expired.':
    'Der ganze Betrag kam an, als die Zahlung schon abgelaufen war.',
  'More money arrived than the payment needed to be settled.':
    'Es kam mehr Geld an, als die Zahlung zum Abschluss brauchte.',
  'More money arrived after the payment had been settled.':
    'Nach dem Abschluss der Zahlung kam noch mehr Geld an.',
  'Money arrived for a payment that was cancelled.': 'Für eine abgebrochene Zahlung kam Geld an.',
  'Money arrived for a payment that had failed.': 'Für eine fehlgeschlagene Zahlung kam Geld an.',
  'Money arrived also by another way to pay than the one that the payment is about.':
    'Es kam auch auf eine andere Zahlungsart Geld an als auf jene, um die es bei der Zahlung geht.',
  'Money of another kind than the buyer had chosen arrived.':
    'Es kam Geld in einer anderen Währung an, als der Käufer gewählt hatte.',
  'Money arrived on another network than the buyer had chosen.':
    'Es kam Geld auf einem anderen Netzwerk an, als der Käufer gewählt hatte.',
  'Money lay at the address of a payment before the payment had it: your wallet was used elsewhere.':
    'An der Adresse einer Zahlung lag Geld, bevor die Zahlung sie bekam: Ihre Wallet wurde anderswo benutzt.',
  'The money is in your wallet and recorded with payment {id}.':
    'Das Geld ist in Ihrer Wallet und bei der Zahlung {id} vermerkt.',
  'Accept it, or dismiss it with a note, for example after a refund.':
    'Nehmen Sie es an, oder legen Sie es mit einer Notiz ab, zum Beispiel nach einer Rückzahlung.',
  'It can no longer settle the payment: send it back and record the refund, or dismiss it with a note.':
    'Es kann die Zahlung nicht mehr abschliessen: Senden Sie es zurück, und vermerken Sie die Rückzahlung, oder legen Sie es mit einer Notiz ab.',

  'Money that was announced for a payment of {amount} has left the chain':
    'Geld, das für eine Zahlung über {amount} gemeldet war, ist nicht mehr auf der Blockchain',
  'The network has rewritten blocks that were held to be final, and {count} of the transfers that you were told of for payment {id} are not in them any more.':
    'Das Netzwerk hat Blöcke neu geschrieben, die als endgültig galten, und {count} der Überweisungen, die Ihnen zur Zahlung {id} gemeldet waren, sind nicht mehr darin.',
  'If they come back, this alert is over by itself.': 'Kommen sie wieder, endet diese Warnung von selbst.',
  'Until then do not send anything back for them.': 'Senden Sie bis dahin nichts dafür zurück.',
  'Money of a settled payment of {amount} has left the chain':
    'Geld einer abgeschlossenen Zahlung über {amount} ist nicht mehr auf der Blockchain',
  'The network has rewritten its latest blocks, and {count} of the transfers that settled payment {id} are not in them any more.':
    'Das Netzwerk hat seine neusten Blöcke neu geschrieben, und {count} der Überweisungen, mit denen die Zahlung {id} abgeschlossen wurde, sind nicht mehr darin.',
  'They often come back within minutes, and then this alert is over by itself.':
    'Oft kommen sie innert Minuten wieder, dann endet diese Warnung von selbst.',
  'The payment stays settled.': 'Die Zahlung bleibt abgeschlossen.',
  'If the order has not been shipped, wait; otherwise ask the buyer.':
    'Ist die Bestellung noch nicht verschickt, warten Sie; sonst fragen Sie den Käufer.',

  'Webhooks to {host} have stopped': 'Webhooks an {host} werden nicht mehr gesendet',
  'The webhook endpoint {id} at {host} has been disabled.':
    'Der Webhook-Endpunkt {id} bei {host} wurde abgeschaltet.',
  'It has taken nothing for five days and refused or missed at least ten events, so we have stopped trying.':
    'Er hat fünf Tage lang nichts angenommen und mindestens zehn Ereignisse abgewiesen oder verpasst, darum versuchen wir es nicht mehr.',
  'It answered 410 Gone, which says that it wants no more events.':
    'Er antwortete mit 410 Gone, das heisst, er will keine Ereignisse mehr.',
  'Its events are still written and held for it.':
    'Seine Ereignisse werden weiter geschrieben und für ihn zurückgehalten.',
  'Enable it once it works again, and choose whether what was held is to be sent.':
    'Schalten Sie ihn ein, sobald er wieder geht, und wählen Sie, ob das Zurückgehaltene gesendet werden soll.',

  'Your wallet {hint} may soon not show what is paid on {networks}':
    'Ihre Wallet {hint} zeigt vielleicht bald nicht mehr, was auf {networks} bezahlt wird',
  'The last {unused} addresses of {hint} were given to buyers who have not paid.':
    'Die letzten {unused} Adressen von {hint} gingen an Käufer, die nicht bezahlt haben.',
  'Most wallets look at {limit} addresses behind the last that was paid, and may not show money beyond.':
    'Die meisten Wallets schauen {limit} Adressen über die letzte bezahlte hinaus und zeigen Geld dahinter vielleicht nicht.',
  'It is there all the same, and Rappen sees it.': 'Es ist trotzdem da, und Rappen sieht es.',
  'Raise the gap limit of your wallet to 100 or more: docs/wallets.md says how.':
    'Erhöhen Sie das Gap-Limit Ihrer Wallet auf 100 oder mehr: docs/wallets.md sagt, wie.',
  'This alert ends by itself when one of these addresses is paid, or the wallet is replaced.':
    'Diese Warnung endet von selbst, wenn auf eine dieser Adressen bezahlt wird oder die Wallet ersetzt wird.',

  'A refund of {amount} has not been found': 'Eine Rückzahlung über {amount} wurde nicht gefunden',
  'Nothing on {network} pays refund {id}, and it is not looked for any more.':
    'Nichts auf {network} bezahlt die Rückzahlung {id}, und sie wird nicht mehr gesucht.',
  'What pays refund {id} may be in block {block} of {network}, which its node does not keep any more, so it cannot be looked for.':
    'Was die Rückzahlung {id} bezahlt, kann in Block {block} von {network} sein, den dessen Node nicht mehr aufbewahrt; deshalb kann sie nicht gesucht werden.',
  'Look it up in your wallet: if it was sent, withdraw the refund and record what was sent, else withdraw it and send it anew.':
    'Schauen Sie in Ihrer Wallet nach: Wurde sie gesendet, ziehen Sie die Rückzahlung zurück und vermerken Sie, was gesendet wurde; sonst ziehen Sie sie zurück und senden Sie neu.',
  'For two days the node of {network} has not told what the search for refund {id} needs, though it told everything else, so it is not looked for any more.':
    'Seit zwei Tagen sagt der Node von {network} nicht, was die Suche nach der Rückzahlung {id} braucht, obwohl er alles andere sagt; deshalb wird sie nicht mehr gesucht.',
  'Look it up in your wallet, and let it be looked for again once the node answers.':
    'Schauen Sie in Ihrer Wallet nach, und lassen Sie noch einmal suchen, sobald der Node antwortet.',
  'Its money is still kept from any other decision.': 'Ihr Geld bleibt für jeden anderen Entscheid gesperrt.',
  'On its page name the transaction, let it be looked for again, or withdraw it.':
    'Nennen Sie auf ihrer Seite die Transaktion, lassen Sie noch einmal suchen, oder ziehen Sie sie zurück.',
  'A final refund of {amount} has left the chain':
    'Eine endgültige Rückzahlung über {amount} ist nicht mehr auf der Blockchain',
  'The network has rewritten blocks that were held to be final, and the payment of refund {id} is not in them any more.':
    'Das Netzwerk hat Blöcke neu geschrieben, die als endgültig galten, und die Zahlung zur Rückzahlung {id} ist nicht mehr darin.',
  'It stays in the books and is looked for again; if it comes back, this alert is over by itself.':
    'Sie bleibt in den Büchern und wird wieder gesucht; kommt sie wieder, endet diese Warnung von selbst.',
  'If it does not, the buyer does not have the money: look the transaction up in your wallet before you send it once more.':
    'Wenn nicht, hat der Käufer das Geld nicht: Suchen Sie die Transaktion in Ihrer Wallet, bevor Sie noch einmal senden.',
  'A withdrawn refund of {amount} has been paid':
    'Eine zurückgezogene Rückzahlung über {amount} wurde bezahlt',
  'A refund of {amount} has been paid twice': 'Eine Rückzahlung über {amount} wurde zweimal bezahlt',
  'Refund {id} was withdrawn, and transaction {txid} pays exactly that.':
    'Die Rückzahlung {id} wurde zurückgezogen, und die Transaktion {txid} bezahlt genau das.',
  'Transaction {txid} pays once more what refund {id} asked for.':
    'Die Transaktion {txid} bezahlt noch einmal, was die Rückzahlung {id} verlangte.',
  'It is in no book.': 'Sie ist in keinem Buch.',
  'If you sent it, record it with the payment, or ask the buyer to send it back.':
    'Haben Sie sie gesendet, vermerken Sie sie bei der Zahlung, oder bitten Sie den Käufer, das Geld zurückzusenden.',

  'More was sent back for a payment of {amount} than it has brought you':
    'Für eine Zahlung über {amount} wurde mehr zurückgesandt, als sie Ihnen gebracht hat',
  'The refunds of payment {id} exceed the money that is still on the chain for it by {amounts}.':
    'Die Rückzahlungen zur Zahlung {id} übersteigen das Geld, das dafür noch auf der Blockchain ist, um {amounts}.',
  'The network has rewritten blocks that were held to be final, and what was refunded is not in them any more.':
    'Das Netzwerk hat Blöcke neu geschrieben, die als endgültig galten, und was zurückgezahlt wurde, ist nicht mehr darin.',
  'The refunds are in the books, as they were paid.':
    'Die Rückzahlungen stehen in den Büchern, so wie sie bezahlt wurden.',
  'If the money comes back, this alert is over by itself.':
    'Kommt das Geld wieder, endet diese Warnung von selbst.',
  'If it does not, ask the buyer for it.': 'Wenn nicht, verlangen Sie es vom Käufer.',
} as const;
