/** Alerts to the operator, as services raise them. */
export const operatorAlerts = {
  'One payment is taken for refunds of two merchants': 'Eine Zahlung gilt für Rückzahlungen zweier Händler',
  'Transaction {txid} pays refund {id} of {merchant}, and one of another merchant for the same amount to the same address.':
    'Die Transaktion {txid} bezahlt die Rückzahlung {id} von {merchant} und eine eines anderen Händlers über denselben Betrag an dieselbe Adresse.',
  'Where both use one wallet, one of the two is still to be paid; else one of them has named a payment of the other.':
    'Benutzen beide eine Wallet, ist eine der zwei noch zu bezahlen; sonst hat einer von ihnen eine Zahlung des anderen genannt.',
  'Both are in the books of their merchants.': 'Beide stehen in den Büchern ihrer Händler.',

  'Payment {id} cannot be decided': 'Die Zahlung {id} lässt sich nicht entscheiden',
  'Every try to bring payment {id} up to date fails: {message}. Its status stands still; all other payments go on. The log has the error once, with this id; {show} has it too, and {decide} tries again at once when its cause is mended.':
    'Jeder Versuch, die Zahlung {id} nachzuführen, schlägt fehl: {message}. Ihr Status steht still; alle anderen Zahlungen laufen weiter. Das Log enthält den Fehler einmal, mit dieser ID; {show} zeigt ihn auch, und {decide} versucht es sofort noch einmal, wenn die Ursache behoben ist.',

  '{network} is not offered: its newest block has not been seen':
    '{network} wird nicht angeboten: Sein neuster Block wurde nicht gesehen',
  'The newest block of {network} has not been seen {since} (we are at {height}, its node at {node}).':
    'Der neuste Block von {network} wurde nicht gesehen, {since} (wir sind bei {height}, sein Knoten bei {node}).',
  'since {time}': 'seit {time}',
  'since the start': 'seit dem Start',
  'no block': 'keinem Block',
  none: 'keinem',
  'Nobody can choose it at the checkout until it has been caught up; payments that are under way are kept and decided then.':
    'Niemand kann es an der Kasse wählen, bis es aufgeholt ist; Zahlungen, die laufen, bleiben und werden dann entschieden.',
  'What the watcher says: {reason}.': 'Was der Beobachter sagt: {reason}.',
  'Look at the node, and at the log of this service.':
    'Sehen Sie nach dem Knoten und ins Log dieses Dienstes.',
  '{network} is halted: its node is on another chain':
    '{network} ist angehalten: Sein Knoten ist auf einer anderen Kette',
  'What the watcher says: {reason} It does not go on by itself. Look with {command}; the operations manual has the ways out under {section}.':
    'Was der Beobachter sagt: {reason} Von selbst geht es nicht weiter. Sehen Sie nach mit {command}; die Auswege stehen im Betriebshandbuch unter {section}.',
  'No block of {network} has become final for long':
    'Kein Block von {network} ist seit Langem endgültig geworden',
  'Blocks of {network} come, and none has become final for {count} minutes.':
    'Blöcke von {network} kommen, und seit {count} Minuten ist keiner endgültig geworden.',
  'Payments that wait for finality are kept and wait with it; those that wait for a number of blocks go on.':
    'Zahlungen, die darauf warten, bleiben und warten mit; jene, die auf eine Anzahl Blöcke warten, gehen weiter.',
  'Compare what the node calls final with a block explorer: if only the node stands still, use another one.':
    'Vergleichen Sie, was der Knoten endgültig nennt, mit einem Block-Explorer: Steht nur der Knoten still, nehmen Sie einen anderen.',
  'Blocks of {network} that were final have been given up':
    'Blöcke von {network}, die endgültig waren, sind aufgegeben worden',
  'The chain of {network} has other blocks from {height} on than those that were held to be final there, since {time}.':
    'Die Kette von {network} hat seit {time} ab {height} andere Blöcke als die, welche dort für endgültig galten.',
  'What was paid in them is looked for anew; merchants are told of their payments that rest on one.':
    'Was darin bezahlt wurde, wird neu gesucht; Händler erfahren von ihren Zahlungen, die auf einem davon beruhen.',
  'Compare the node with a block explorer: if it was wrong about what is final, or is now on another chain, use another one.':
    'Vergleichen Sie den Knoten mit einem Block-Explorer: Hat er sich darin geirrt, was endgültig ist, oder ist er jetzt auf einer anderen Kette, nehmen Sie einen anderen.',
  'This alert ends after seven days.': 'Diese Warnung endet nach sieben Tagen.',
  '{network} has more recent addresses than are compared with every block':
    '{network} hat mehr neue Adressen, als mit jedem Block verglichen werden',
  'The balances of {count} addresses of the last day are not compared with every block.':
    'Die Bestände von {count} Adressen des letzten Tages werden nicht mit jedem Block verglichen.',
  'Coin that a contract pays to them is found by the comparison with the chain, once it is final; tokens and plain payments are not concerned.':
    'Geld, das ein Vertrag an sie zahlt, findet der Vergleich mit der Kette, sobald es endgültig ist; Token und einfache Zahlungen betrifft das nicht.',
  'While some of them have open windows the coin is not offered.':
    'Solange einige von ihnen offene Fristen haben, wird die Währung nicht angeboten.',
  'It ends when fewer intents are opened.': 'Es endet, wenn weniger Zahlungen eröffnet werden.',
  '{symbol} on {network} is not offered: we would not see all of it':
    '{symbol} auf {network} wird nicht angeboten: Wir sähen nicht alles davon',
  'The node does not say what addresses hold (eth_call by the hash of a block), or says it, or traces blocks, more slowly than blocks come; so coin that a smart wallet or an exchange pays from a contract would be seen late.':
    'Der Knoten sagt nicht, was Adressen halten (eth_call mit dem Hash eines Blocks), oder er sagt es oder verfolgt Blöcke langsamer, als Blöcke kommen; Geld, das eine Smart Wallet oder eine Börse aus einem Vertrag zahlt, würde darum spät gesehen.',
  'What comes meanwhile is found, and recorded, when the node says it again.':
    'Was inzwischen kommt, wird gefunden und aufgezeichnet, wenn der Knoten es wieder sagt.',
  'Slow traces close it for half a minute, then coin goes on without the names of its payers.':
    'Ist das Verfolgen langsam, schliesst das die Währung eine halbe Minute lang, dann geht sie ohne die Namen der Zahler weiter.',
  'If it lasts, use a faster node that keeps the state of its last blocks.':
    'Dauert es an, nehmen Sie einen schnelleren Knoten, der den Zustand seiner letzten Blöcke behält.',
  'Blocks were passed without looking for it, as by an instance with an older list of assets.':
    'In einigen Blöcken wurde nicht danach gesucht, etwa von einer Instanz mit einer älteren Liste der Währungen.',
  'They are being searched; make sure that all instances have the same configuration.':
    'Sie werden nun durchsucht; sorgen Sie dafür, dass alle Instanzen gleich eingerichtet sind.',
  'More addresses with open windows are issued than can be compared with every block, so coin that a smart wallet or an exchange pays from a contract would be seen late at some of them.':
    'Es sind mehr Adressen mit offenen Fristen ausgegeben, als sich mit jedem Block vergleichen lassen; Geld, das eine Smart Wallet oder eine Börse aus einem Vertrag zahlt, würde darum bei einigen spät gesehen.',
  'Merchants who issue more than their share do not offer it until fewer are open.':
    'Händler, die mehr als ihren Anteil ausgeben, bieten sie nicht an, bis weniger offen sind.',
  '{symbol} on {network} is not looked for any more': 'Nach {symbol} auf {network} wird nicht mehr gesucht',
  '{network} is not watched any more': '{network} wird nicht mehr beobachtet',
  'Buyers were given addresses for {assets} on {network}, and it is not in the configuration any more.':
    'Käufer haben Adressen für {assets} auf {network} bekommen, und das ist nicht mehr eingerichtet.',
  'Buyers were given addresses for {assets} on {network}, and the network is not in the configuration any more.':
    'Käufer haben Adressen für {assets} auf {network} bekommen, und das Netzwerk ist nicht mehr eingerichtet.',
  'What is paid to them is not seen.': 'Was an diese gezahlt wird, wird nicht gesehen.',
  'Put it back into the configuration of all instances: the blocks that were passed are then searched.':
    'Richten Sie es in allen Instanzen wieder ein: Die Blöcke, die vorübergingen, werden dann durchsucht.',
  'See {section} in docs/operations.md.': 'Lesen Sie {section} in docs/operations.md.',
  'This alert ends by itself when it is looked for again.':
    'Diese Warnung endet von selbst, wenn wieder danach gesucht wird.',
  'Where it never will be, acknowledge it.': 'Wird nie mehr danach gesucht, nehmen Sie sie zur Kenntnis.',
  'No rate for {count} pairs': 'Kein Kurs für {count} Paare',
  'No rate for {pair}': 'Kein Kurs für {pair}',
  'No price is fresh enough, or the sources differ too much, for {pairs}. These options are closed at the checkout until there is a price again. /health/ready names the sources that fail.':
    'Kein Kurs ist frisch genug, oder die Quellen weichen zu weit voneinander ab, für {pairs}. Diese Währungen werden an der Kasse nicht angeboten, bis es wieder einen Kurs gibt. /health/ready nennt die Quellen, die versagen.',
  '{count} {differences} from the chain on {network}': '{count} {differences} von der Kette auf {network}',
  difference: 'Abweichung',
  differences: 'Abweichungen',
  '{amount} at {where}, block {height}: {what}.': '{amount} an {where}, Block {height}: {what}.',
  'arrived and was not recorded (it is now, and the payment is decided again)':
    'kam an und war nicht aufgezeichnet (jetzt ist es das, und die Zahlung wird neu entschieden)',
  'is held beyond what is recorded': 'liegt dort über das Aufgezeichnete hinaus',
  'is recorded, and the chain does not hold it (nothing was changed)':
    'ist aufgezeichnet, und die Kette hat es nicht (es wurde nichts geändert)',
  'lies there and nothing is recorded, and yet the address has sent: what it sent had come unseen':
    'liegt dort, nichts ist aufgezeichnet, und doch hat die Adresse gesendet: Was sie sandte, war ungesehen gekommen',
  'was collected from a deposit address and was not recorded as collected (it is now)':
    'wurde von einer Empfangsadresse eingesammelt und war nicht als eingesammelt aufgezeichnet (jetzt ist es das)',
  'lies at an address of a key that this database never issued (its index is passed over)':
    'liegt an einer Adresse eines Schlüssels, die diese Datenbank nie ausgegeben hat (ihr Index wird übersprungen)',
  'And {count} more.': 'Und {count} weitere.',
  'Run {command}, and see {section} in docs/operations.md.':
    'Führen Sie {command} aus, und lesen Sie {section} in docs/operations.md.',
  'This alert ends by itself when the two are the same.':
    'Diese Warnung endet von selbst, wenn beide gleich sind.',
  '{network} has not been compared with its chain since {day} (UTC)':
    '{network} wurde seit {day} (UTC) nicht mit seiner Kette verglichen',
  'No comparison of all addresses on {network} has come to its end since {time}: money that the watcher missed since then may not have been noticed.':
    'Seit {time} kam kein Vergleich aller Adressen auf {network} zu seinem Ende: Geld, das der Beobachter seither verpasst hat, blieb vielleicht unbemerkt.',
  'Payments go on.': 'Zahlungen laufen weiter.',
  'The log says why ({words}), and so does {command}; see {section} in docs/operations.md.':
    'Das Log sagt, warum ({words}), und {command} auch; lesen Sie {section} in docs/operations.md.',
  'This alert ends by itself when a comparison has ended.':
    'Diese Warnung endet von selbst, wenn ein Vergleich zu Ende kam.',
} as const;
