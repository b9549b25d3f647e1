"""For plug-ins that write down what is said in recordings: voice messages, sound, video."""

from bot.domain.recordings import Recording as Recording
from bot.domain.recordings import Transcriber as Transcriber
from bot.domain.recordings import WrittenSpeech as WrittenSpeech
from bot.domain.recordings import shown_length as shown_length
from bot.errors import TranscriptionError as TranscriptionError
