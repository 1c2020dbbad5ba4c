/** What is refused about wallets, and what is said of addresses and searches there (see `services`). */
export const walletServices = {
  'It is an ordinary account: whoever has its key has the money.':
    'Es ist ein gewöhnliches Konto: Wer den Schlüssel hat, hat das Geld.',
  'It is a contract, such as a Safe. Make sure that it exists on this network too, and that it takes coin and tokens.':
    'Es ist ein Contract, zum Beispiel ein Safe. Vergewissern Sie sich, dass es ihn auch auf diesem Netzwerk gibt und dass er Coins und Tokens annimmt.',
  'It is an account that lets a contract act for it (EIP-7702). That contract has a say over the money.':
    'Es ist ein Konto, das einen Contract für sich handeln lässt (EIP-7702). Dieser Contract bestimmt über das Geld mit.',
  'The node did not say what is at this address. It was checked for typing mistakes all the same.':
    'Der Knoten hat nicht gesagt, was an dieser Adresse ist. Auf Tippfehler wurde sie trotzdem geprüft.',
  'Whether the contract that collects money is on this network is not known: its node did not say.':
    'Ob der Contract, der Geld einsammelt, auf diesem Netzwerk vorhanden ist, ist nicht bekannt: Der Knoten hat es nicht gesagt.',
  '{assets} could not be paid out to this address now: the network refused a trial with nothing. A token can block an address or stand still, and a contract can refuse coin. As long as it is so, such money stays on the deposit addresses.':
    '{assets} könnte jetzt nicht an diese Adresse ausgezahlt werden: Das Netzwerk wies einen Versuch mit nichts ab. Ein Token kann eine Adresse sperren oder stillstehen, und ein Contract kann Coins abweisen. Solange das so ist, bleibt solches Geld auf den Empfangsadressen.',

  'This is a private key or a seed phrase. It was not stored, and Rappen never needs one: paste the extended public key of the account. Treat what you pasted as exposed.':
    'Das ist ein privater Schlüssel oder eine Seed-Phrase. Es wurde nicht gespeichert, und Rappen braucht so etwas nie: Fügen Sie den erweiterten öffentlichen Schlüssel des Kontos ein. Was Sie eingefügt haben, müssen Sie als verraten betrachten.',
  'Addresses cannot be made from this.': 'Daraus lassen sich keine Adressen bilden.',
  'In your wallet, open the details of the account, choose its extended public key, and copy all of it: some 111 letters and digits that begin with {kinds}.':
    'Öffnen Sie in Ihrer Wallet die Details des Kontos, wählen Sie den erweiterten öffentlichen Schlüssel, und kopieren Sie ihn ganz: etwa 111 Buchstaben und Ziffern, die mit {kinds} beginnen.',
  'This key belongs to a test network, and this instance takes real money.':
    'Dieser Schlüssel gehört zu einem Testnetzwerk, und diese Instanz nimmt echtes Geld.',
  'Switch your wallet to the main network, and copy the key of the account there.':
    'Stellen Sie Ihre Wallet auf das Hauptnetzwerk um, und kopieren Sie dort den Schlüssel des Kontos.',
  'This key belongs to the main network, and this instance is on a test network ({network}).':
    'Dieser Schlüssel gehört zum Hauptnetzwerk, und diese Instanz ist auf einem Testnetzwerk ({network}).',
  'Switch your wallet to that one, and copy the key of the account there.':
    'Stellen Sie Ihre Wallet auf dieses um, und kopieren Sie dort den Schlüssel des Kontos.',
  'This key belongs to a whole wallet or to a single address, not to an account.':
    'Dieser Schlüssel gehört zu einer ganzen Wallet oder zu einer einzelnen Adresse, nicht zu einem Konto.',
  'In your wallet, open the details of an account, and copy the extended public key that is shown there (its path is like {path}).':
    'Öffnen Sie in Ihrer Wallet die Details eines Kontos, und kopieren Sie den erweiterten öffentlichen Schlüssel, der dort gezeigt wird (sein Pfad lautet etwa {path}).',
  'A letter or digit of this key is missing or wrong.':
    'Ein Zeichen dieses Schlüssels fehlt oder ist falsch.',
  'Copy the whole key from your wallet again.':
    'Kopieren Sie den ganzen Schlüssel noch einmal aus Ihrer Wallet.',
  'There is no public key in this.': 'Darin ist kein öffentlicher Schlüssel.',
  'Copy the key of the account again.': 'Kopieren Sie den Schlüssel des Kontos noch einmal.',
  'This extended public key is already in use by another merchant or for another kind of network. Two of them would be given the same addresses, so that nobody could tell whose money it is.':
    'Dieser erweiterte öffentliche Schlüssel wird schon von einem anderen Händler oder für eine andere Art von Netzwerk benutzt. Beide bekämen dieselben Adressen, und niemand wüsste, wem das Geld gehört.',
  'The address was refused: {reason}.': 'Die Adresse wurde abgewiesen: {reason}.',
  'it is not an address of an EVM network (0x and 40 digits)':
    'Sie ist keine Adresse eines EVM-Netzwerks (0x und 40 Ziffern)',
  'its checksum is wrong, so a letter or digit was mistyped; copy it again':
    'Ihre Prüfsumme stimmt nicht, also wurde ein Zeichen falsch getippt; kopieren Sie sie noch einmal',
  'nobody has its key, so what is paid there is lost':
    'Niemand hat den Schlüssel, was dort bezahlt wird, ist also verloren',
  'it belongs to the network itself, so what is paid there is lost':
    'Sie gehört dem Netzwerk selbst, was dort bezahlt wird, ist also verloren',
  'it is a contract behind the deposit addresses, from which nothing comes back':
    'Sie ist ein Contract hinter den Empfangsadressen, von dem nichts zurückkommt',
  'it is the contract of {asset} on {network}, from which nothing comes back':
    'Sie ist der Contract von {asset} auf {network}, von dem nichts zurückkommt',
  'it was issued to a buyer as a deposit address; name the wallet behind it':
    'Sie wurde einem Käufer als Empfangsadresse ausgegeben; nennen Sie die Wallet dahinter',
  '{network} takes an extended public key: {reason}.':
    '{network} verlangt einen erweiterten öffentlichen Schlüssel: {reason}.',
  'deposit addresses that pay out to one address are for EVM networks':
    'Empfangsadressen, die an eine einzige Adresse auszahlen, gibt es nur auf EVM-Netzwerken',
  'it computes contract addresses in its own way, so money could not be collected':
    'Es berechnet Adressen von Contracts auf eigene Art, Geld könnte also nicht eingesammelt werden',
  'The merchant is paid to one address on {network}; its deposit addresses have no indexes.':
    'Auf {network} geht alles an eine einzige Adresse; die Empfangsadressen dort haben keinen Index.',
  'The merchant has no wallet for {network}.': 'Der Händler hat keine Wallet für {network}.',
  'There is no network {network} in this instance.': 'Diese Instanz hat kein Netzwerk {network}.',
  'The next index is already {index}, and an address is never issued twice: indexes only move forward.':
    'Der nächste Index ist schon {index}, und keine Adresse wird zweimal ausgegeben: Indizes gehen nur vorwärts.',
  'An index is an integer from 0 to 2147483646.': 'Ein Index ist eine ganze Zahl von 0 bis 2147483646.',

  'On {networks} no index from {from} to {to} was used before.':
    'Auf {networks} war kein Index von {from} bis {to} schon benutzt.',
  'The last used index is {index} (on {networks}): addresses up to there belong to whoever used them.':
    'Der letzte benutzte Index ist {index} (auf {networks}): Adressen bis dort gehören dem, der sie benutzt hat.',
  'The search paused at index {index} without an end of the used ones, and goes on by itself.':
    'Die Suche hielt bei Index {index} an, ohne das Ende der benutzten zu finden, und geht von selbst weiter.',
  '{network} was not asked to the end ({reason}): whether addresses were used there is not known yet. The search goes on by itself, and nobody can pay there with this key before it is done.':
    '{network} wurde nicht bis zum Ende abgefragt ({reason}): Ob dort Adressen benutzt wurden, ist noch nicht bekannt. Die Suche geht von selbst weiter, und vorher kann dort niemand mit diesem Schlüssel bezahlen.',
  'no answer in time': 'keine rechtzeitige Antwort',
  'its node does not answer as it should; the log says more':
    'der Knoten antwortet nicht richtig; mehr steht im Logbuch des Dienstes',
  'The node of {network} does not tell of {what}.': 'Der Knoten von {network} sagt nichts über {what}.',
  'the coin and of what addresses have sent': 'den Coin und was Adressen gesendet haben',
  'unspent outputs': 'nicht ausgegebene Beträge',
  'addresses that were paid and spent again': 'Adressen, die bezahlt und wieder geleert wurden',
} as const;
